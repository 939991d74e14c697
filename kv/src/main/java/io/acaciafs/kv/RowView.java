package io.acaciafs.kv;

import java.util.Arrays;

/**
 * A row in buffers that are used again: valid until the {@link RowVisitor} that it is shown to
 * returns. Used by one thread.
 */
public final class RowView {
  private byte[] key = {};
  private int keyOffset;
  private int keyLength;
  private byte[] value = {};
  private int valueOffset;
  private int valueLength;

  /** For engines: shows another row. */
  public void showKey(byte[] buffer, int offset, int length) {
    key = buffer;
    keyOffset = offset;
    keyLength = length;
  }

  /** For engines: shows another row. */
  public void showValue(byte[] buffer, int offset, int length) {
    value = buffer;
    valueOffset = offset;
    valueLength = length;
  }

  public int keyLength() {
    return keyLength;
  }

  /** One byte of the key. */
  public byte keyByte(int index) {
    return key[keyOffset + index];
  }

  public boolean keyBeginsWith(byte[] prefix) {
    return keyLength >= prefix.length
        && Arrays.equals(key, keyOffset, keyOffset + prefix.length, prefix, 0, prefix.length);
  }

  /** A copy of the key's bytes from {@code from} to its end. */
  public byte[] keyFrom(int from) {
    return Arrays.copyOfRange(key, keyOffset + from, keyOffset + keyLength);
  }

  /** Holds the value from {@link #valueOffset} on: do not write to it, do not keep it. */
  public byte[] valueBuffer() {
    return value;
  }

  public int valueOffset() {
    return valueOffset;
  }

  public int valueLength() {
    return valueLength;
  }

  /** A copy of the value. */
  public byte[] value() {
    return Arrays.copyOfRange(value, valueOffset, valueOffset + valueLength);
  }
}
