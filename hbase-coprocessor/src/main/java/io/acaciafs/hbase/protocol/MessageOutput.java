package io.acaciafs.hbase.protocol;

import java.util.Arrays;

/** Writes numbers and byte arrays one after the other. For one thread. */
public final class MessageOutput {
  private byte[] bytes = new byte[512];
  private int size;

  public void writeByte(int value) {
    require(1);
    bytes[size++] = (byte) value;
  }

  /** 1 to 5 bytes, the lowest seven bits first. */
  public void writeInt(int value) {
    require(5);
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      bytes[size++] = (byte) (rest & 0x7F | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  public void writeLong(long value) {
    require(8);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  /** The length, and the bytes. */
  public void writeBytes(byte[] value) {
    writeInt(value.length);
    require(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
  }

  /** The number of bytes so far. */
  public int size() {
    return size;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  private void require(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
