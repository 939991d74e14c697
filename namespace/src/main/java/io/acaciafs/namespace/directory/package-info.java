/**
 * What is in directories: listings of one moment, counts of entries, and buckets, into which large
 * directories are divided.
 *
 * <p>Nothing here follows paths or judges rights.
 */
@NullMarked
package io.acaciafs.namespace.directory;

import org.jspecify.annotations.NullMarked;
