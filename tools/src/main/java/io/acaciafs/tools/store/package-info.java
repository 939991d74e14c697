/**
 * Commands on the store of a NameNode: format, bootstrap, status, check, backup, restore.
 *
 * <p>The work itself is in the module {@code namenode}.
 */
@NullMarked
package io.acaciafs.tools.store;

import org.jspecify.annotations.NullMarked;
