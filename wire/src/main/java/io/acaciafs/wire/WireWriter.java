package io.acaciafs.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a message of Protocol Buffers from its end to its beginning: so the length of what a
 * message holds is known when it is to be written, and nothing is measured first or copied after.
 * Fields are written with the highest number first, the elements of a list with the last one first;
 * then the bytes are those that the generated classes would write. Used by one thread.
 */
public final class WireWriter {
  private static final int LONGEST_VARINT = 10;
  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;

  private byte[] bytes;

  /** Where the last thing written begins. */
  private int position;

  /**
   * @param expectedBytes about the length of the message
   */
  public WireWriter(int expectedBytes) {
    bytes = new byte[expectedBytes];
    position = expectedBytes;
  }

  /** The number of bytes that were written so far. */
  public int size() {
    return bytes.length - position;
  }

  /** A number of a type that is never less than zero, or of 64 bits. */
  public void number(int field, long value) {
    varint(value);
    tag(field, VARINT);
  }

  /** The same of a field that is left out where it has the default value, as in proto3. */
  public void numberUnlessZero(int field, long value) {
    if (value != 0) {
      number(field, value);
    }
  }

  /** A number of the type sint64 or sint32, left out where it is 0. */
  public void signedUnlessZero(int field, long value) {
    numberUnlessZero(field, value << 1 ^ value >> 63);
  }

  public void flag(int field, boolean value) {
    number(field, value ? 1 : 0);
  }

  public void bytes(int field, byte[] value) {
    raw(value);
    varint(value.length);
    tag(field, LENGTH_DELIMITED);
  }

  /** Bytes that another object has. */
  @FunctionalInterface
  public interface Source {
    void copyTo(byte[] target, int offset);
  }

  public void bytes(int field, int length, Source value) {
    room(length);
    position -= length;
    value.copyTo(bytes, position);
    varint(length);
    tag(field, LENGTH_DELIMITED);
  }

  /** The same of a field that is left out where it is empty. */
  public void bytesUnlessEmpty(int field, byte[] value) {
    if (value.length > 0) {
      bytes(field, value);
    }
  }

  /** The same of a text. */
  public void textUnlessEmpty(int field, String value) {
    bytesUnlessEmpty(field, value.getBytes(StandardCharsets.UTF_8));
  }

  public void text(int field, String value) {
    bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Begins what was written since then, as the content of this field.
   *
   * @param sizeBefore {@link #size} before the content was written
   */
  public void message(int field, int sizeBefore) {
    varint(size() - sizeBefore);
    tag(field, LENGTH_DELIMITED);
  }

  /** So many bytes without a tag, all of them 0. */
  public void zeros(int count) {
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

  /** Holds what was written, its last {@link #size} bytes. Nothing may be written after. */
  public byte[] buffer() {
    return bytes;
  }

  /** A copy of what was written. */
  public byte[] toBytes() {
    return Arrays.copyOfRange(bytes, position, bytes.length);
  }
}
