package io.acaciafs.namenode;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;

/**
 * Writes a message of Protocol Buffers from its end to its begin: so the length of what a message
 * holds is known when it is to be written, and nothing is measured first or copied after. Fields
 * are written with the highest number first, the elements of a list with the last one first; then
 * the bytes are those that the generated classes would write. Used by one thread.
 */
final class BackwardWriter {
  private static final int LONGEST_VARINT = 10;
  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;

  private byte[] bytes;

  /** Where the last thing written begins. */
  private int position;

  BackwardWriter(int expectedBytes) {
    bytes = new byte[expectedBytes];
    position = expectedBytes;
  }

  /** How much was written so far. */
  int size() {
    return bytes.length - position;
  }

  /** A number of a type that is never less than zero, or of 64 bits. */
  void number(int field, long value) {
    varint(value);
    tag(field, VARINT);
  }

  void flag(int field, boolean value) {
    number(field, value ? 1 : 0);
  }

  void bytes(int field, byte[] value) {
    raw(value);
    varint(value.length);
    tag(field, LENGTH_DELIMITED);
  }

  void bytes(int field, ByteString value) {
    room(value.size());
    position -= value.size();
    value.copyTo(bytes, position);
    varint(value.size());
    tag(field, LENGTH_DELIMITED);
  }

  void text(int field, String value) {
    bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Begins what was written since then, as the content of this field.
   *
   * @param sizeBefore {@link #size} before the content was written
   */
  void message(int field, int sizeBefore) {
    varint(size() - sizeBefore);
    tag(field, LENGTH_DELIMITED);
  }

  /** So many bytes without a tag, all of them 0. */
  void zeros(int count) {
    room(count);
    position -= count; // not yet written to
  }

  private void raw(byte[] value) {
    room(value.length);
    position -= value.length;
    System.arraycopy(value, 0, bytes, position, value.length);
  }

  private void tag(int field, int type) {
    varint((long) field << 3 | type);
  }

  private void varint(long value) {
    room(LONGEST_VARINT);
    if ((value & ~0x7FL) == 0) {
      bytes[--position] = (byte) value;
      return;
    }
    int length = (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7;
    position -= length;
    long rest = value;
    int last = position + length - 1;
    for (int i = position; i < last; i++) {
      bytes[i] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[last] = (byte) rest;
  }

  private void room(int needed) {
    if (position < needed) {
      int size = size();
      int capacity = Math.max(2 * bytes.length, Math.addExact(size, needed) + bytes.length / 2);
      byte[] larger = new byte[capacity];
      System.arraycopy(bytes, position, larger, capacity - size, size);
      bytes = larger;
      position = capacity - size;
    }
  }

  /** What was written; nothing may be written after. */
  ByteString done() {
    return UnsafeByteOperations.unsafeWrap(bytes, position, size());
  }
}
