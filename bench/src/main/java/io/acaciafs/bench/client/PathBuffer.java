package io.acaciafs.bench.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A path to be written into a request, made anew for each without garbage. For one thread. */
public final class PathBuffer {
  private byte[] bytes = new byte[256];
  private int lengthBytes;

  /** Begins anew with these bytes. */
  public PathBuffer set(byte[] start) {
    lengthBytes = 0;
    return append(start);
  }

  /** Adds these bytes. */
  public PathBuffer append(byte[] more) {
    ensure(more.length);
    System.arraycopy(more, 0, bytes, lengthBytes, more.length);
    lengthBytes += more.length;
    return this;
  }

  /** Adds one ASCII character. */
  public PathBuffer append(char ascii) {
    ensure(1);
    bytes[lengthBytes++] = (byte) ascii;
    return this;
  }

  /**
   * Adds a number.
   *
   * @param value not negative
   * @param minDigits with zeros before it, so that names have one length
   */
  public PathBuffer append(long value, int minDigits) {
    int digits = Math.max(minDigits, digits(value));
    ensure(digits);
    long rest = value;
    for (int i = lengthBytes + digits - 1; i >= lengthBytes; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    lengthBytes += digits;
    return this;
  }

  private static int digits(long value) {
    int digits = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private void ensure(int more) {
    if (lengthBytes + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * (lengthBytes + more));
    }
  }

  byte[] bytes() {
    return bytes;
  }

  int lengthBytes() {
    return lengthBytes;
  }

  @Override
  public String toString() {
    return new String(bytes, 0, lengthBytes, StandardCharsets.UTF_8);
  }
}
