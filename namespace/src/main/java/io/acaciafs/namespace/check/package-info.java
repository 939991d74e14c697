/**
 * What must hold between the rows of the namespace, as questions for a {@link
 * io.acaciafs.kv.check.CheckRun}, and what mends them. Works on rows alone, without operations: it
 * runs on a store that no NameNode serves as well as beside those that do.
 */
@NullMarked
package io.acaciafs.namespace.check;

import org.jspecify.annotations.NullMarked;
