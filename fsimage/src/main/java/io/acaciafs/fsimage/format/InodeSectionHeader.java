package io.acaciafs.fsimage.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The head of the section of inodes says how many there are, which is known only behind them. So
 * its two numbers are written in as many bytes as the largest would take, and put in at the end.
 */
public final class InodeSectionHeader {
  /** Enough for what is not negative; of a tenth byte readers take it that the number is. */
  private static final int VARINT_BYTES = 9;

  private static final int LENGTH = 2 * (1 + VARINT_BYTES);
  private static final byte LAST_INODE_ID_TAG = 1 << 3;
  private static final byte NUM_INODES_TAG = 2 << 3;

  private InodeSectionHeader() {}

  /** The message behind its length. */
  public static byte[] encode(long lastInodeId, long numInodes) {
    ByteBuffer bytes = ByteBuffer.allocate(1 + LENGTH).put((byte) LENGTH);
    put(bytes.put(LAST_INODE_ID_TAG), lastInodeId);
    put(bytes.put(NUM_INODES_TAG), numInodes);
    return bytes.array();
  }

  private static void put(ByteBuffer bytes, long value) {
    for (int i = 0; i < VARINT_BYTES - 1; i++) {
      bytes.put((byte) (value >>> 7 * i | 0x80));
    }
    bytes.put((byte) (value >>> 7 * (VARINT_BYTES - 1)));
  }

  public static void patch(Path image, long offset, long lastInodeId, long numInodes)
      throws IOException {
    try (FileChannel channel = FileChannel.open(image, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(encode(lastInodeId, numInodes));
      while (bytes.hasRemaining()) {
        channel.write(bytes, offset + bytes.position());
      }
    }
  }
}
