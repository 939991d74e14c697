package io.acaciafs.namespace.directory;

import io.acaciafs.namespace.record.Inode;

/**
 * An entry as a listing finds it.
 *
 * @param storedBytes of the inode's row: it is not much larger in memory
 */
public record NamedInode(byte[] name, Inode inode, int storedBytes) {}
