package io.acaciafs.namespace.tree;

import io.acaciafs.namespace.record.Inode;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * An inode as clients see it.
 *
 * @param localName its name in its directory; empty when asked for by its path
 * @param modificationTimeMs of a directory: what was set by hand or when an entry came or went,
 *     whichever is later
 * @param children number of entries of a directory, 0 for a file
 * @param storagePolicyId its own or what it inherits; 0 where there is none
 */
public record InodeStatus(
    byte[] localName, Inode inode, long modificationTimeMs, int children, byte storagePolicyId) {

  /** Of an inode that no storage policy applies to. */
  public InodeStatus(byte[] localName, Inode inode, long modificationTimeMs, int children) {
    this(
        localName,
        inode,
        modificationTimeMs,
        children,
        HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED);
  }
}
