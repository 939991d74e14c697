/**
 * The rows of delegation tokens and of the keys that their passwords are made with. Which token is
 * valid is decided by the module {@code namenode}; images carry these rows from and to other
 * NameNodes.
 */
@NullMarked
package io.acaciafs.namespace.token;

import org.jspecify.annotations.NullMarked;
