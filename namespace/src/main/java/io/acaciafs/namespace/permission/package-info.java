/**
 * Who may do what: HDFS's permission model, and directories that nobody may delete.
 *
 * <p>Nothing here writes.
 */
@NullMarked
package io.acaciafs.namespace.permission;

import org.jspecify.annotations.NullMarked;
