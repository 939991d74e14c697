package io.acaciafs.hbase.protocol;

import java.util.Arrays;

/**
 * Reads what {@link MessageOutput} wrote. Bytes that make no sense fail with an
 * IllegalArgumentException. For one thread.
 */
public final class MessageInput {
  private final byte[] bytes;
  private int position;

  public MessageInput(byte[] bytes) {
    this.bytes = bytes;
  }

  public int readByte() {
    require(1);
    return bytes[position++];
  }

  public int readInt() {
    int value = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      int next = readByte();
      value |= (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("A number of a message does not end");
  }

  /** A number of things that follow, each of at least one byte. */
  public int readCount() {
    int count = readInt();
    require(count);
    return count;
  }

  public long readLong() {
    require(8);
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value = value << 8 | bytes[position++] & 0xFF;
    }
    return value;
  }

  public byte[] readBytes() {
    int length = readCount();
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  public boolean isAtEnd() {
    return position == bytes.length;
  }

  private void require(int more) {
    if (more < 0 || bytes.length - position < more) {
      throw new IllegalArgumentException("A message ends too early");
    }
  }
}
