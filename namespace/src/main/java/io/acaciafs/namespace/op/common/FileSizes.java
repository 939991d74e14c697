package io.acaciafs.namespace.op.common;

import io.acaciafs.namespace.record.FileInode;
import java.io.IOException;

/**
 * Limits for file sizes that clients and DataNodes send. Stateless.
 *
 * <p>Source of the limits and of the texts, misspelt as they are: HDFS 3.5's INodeFile.HeaderFormat
 * and LongBitFormat, which keep a block size in 48 bits.
 */
public final class FileSizes {
  private FileSizes() {}

  /**
   * The block size of a new file for which a client asks for this size.
   *
   * @throws IllegalArgumentException when no file may have it
   */
  public static long preferredBlockSize(long wantedBytes) {
    if (wantedBytes > FileInode.MAX_BLOCK_SIZE_BYTES) {
      throw new IllegalArgumentException(
          "Illagal value: PREFERRED_BLOCK_SIZE = "
              + wantedBytes
              + " > MAX = "
              + FileInode.MAX_BLOCK_SIZE_BYTES);
    }
    return Math.max(1, wantedBytes);
  }

  /**
   * @throws IllegalArgumentException when no file may have this many replicas under any
   *     configuration
   */
  public static short replication(short wanted) {
    if (wanted < 0 || wanted > FileInode.MAX_REPLICATION) {
      throw new IllegalArgumentException("Invalid replication value " + wanted);
    }
    return wanted;
  }

  /**
   * Checks a block length that a client or DataNode reports.
   *
   * @throws IOException when no block can have this length
   */
  public static long blockLength(long saidBytes) throws IOException {
    if (saidBytes < 0 || saidBytes > FileInode.MAX_BLOCK_SIZE_BYTES) {
      throw new IOException(
          "No block has a length of "
              + saidBytes
              + " bytes: it is from 0 to "
              + FileInode.MAX_BLOCK_SIZE_BYTES);
    }
    return saidBytes;
  }
}
