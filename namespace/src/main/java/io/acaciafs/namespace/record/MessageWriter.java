package io.acaciafs.namespace.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes the fields of a Protocol Buffers message by hand, for the records that each operation
 * writes: the same bytes as the generated classes write, if fields come in the order of their
 * numbers, which are below 16. A field with the default value takes no bytes. Used by one thread.
 */
final class MessageWriter {
  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;
  private static final int LONGEST_VARINT = 10;

  private byte[] bytes;
  private int size;

  /**
   * @param sizeBytes how long the message is going to be; about
   */
  MessageWriter(int sizeBytes) {
    bytes = new byte[sizeBytes];
  }

  MessageWriter number(int field, long value) {
    if (value != 0) {
      reserve(1 + LONGEST_VARINT);
      bytes[size++] = (byte) (field << 3 | VARINT);
      varint(value);
    }
    return this;
  }

  /** A number that may as well be negative. */
  MessageWriter signed(int field, long value) {
    return number(field, value << 1 ^ value >> 63);
  }

  MessageWriter bytes(int field, byte[] value) {
    if (value.length > 0) {
      append(field, value, value.length);
    }
    return this;
  }

  MessageWriter text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /** A message in this one, which is there even when it is empty. */
  MessageWriter message(int field, MessageWriter value) {
    append(field, value.bytes, value.size);
    return this;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void append(int field, byte[] value, int length) {
    reserve(1 + LONGEST_VARINT + length);
    bytes[size++] = (byte) (field << 3 | LENGTH_DELIMITED);
    varint(length);
    System.arraycopy(value, 0, bytes, size, length);
    size += length;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
