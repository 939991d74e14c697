package io.acaciafs.namespace;

import io.acaciafs.namespace.record.Inode;

/**
 * An inode as clients see it.
 *
 * @param localName its name in its directory; empty when asked for by its path
 * @param modificationTimeMs of a directory: what was set by hand or when an entry came or went,
 *     whichever is later
 * @param children number of entries of a directory, 0 for a file
 */
public record InodeStatus(byte[] localName, Inode inode, long modificationTimeMs, int children) {}
