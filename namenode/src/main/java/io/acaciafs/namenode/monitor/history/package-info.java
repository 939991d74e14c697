/**
 * What a NameNode did in the last 24 hours, kept in memory of a fixed size, and what the other
 * NameNodes of the cluster tell of themselves.
 */
@NullMarked
package io.acaciafs.namenode.monitor.history;

import org.jspecify.annotations.NullMarked;
