package io.acaciafs.kv.rocksdb;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A batch of writes in RocksDB's own format, so that all of it goes over to native code at once,
 * and into the log. Used by one thread.
 *
 * <p>Source: write_batch.cc of RocksDB. A header of a sequence number (eight bytes, filled in
 * there) and a count (four bytes), little endian; then records: a tag, the number of the column
 * family, the key and, unless the row is removed, the value; numbers and lengths are varints.
 */
final class BatchEncoder {
  private static final int COUNT_OFFSET = 8;
  private static final int HEADER_BYTES = 12;
  private static final byte DELETION = 0x4;
  private static final byte VALUE = 0x5;
  private static final int LONGEST_VARINT = 5;
  private static final int LARGEST_KEPT = 1 << 20;

  private byte[] bytes = new byte[4096];
  private int size = HEADER_BYTES;
  private int count;

  void clear() {
    if (bytes.length > LARGEST_KEPT) {
      bytes = new byte[LARGEST_KEPT];
    }
    size = HEADER_BYTES;
    count = 0;
  }

  /** A null value removes the row. */
  void append(int family, byte[] key, byte[] value) {
    int valueLength = value == null ? 0 : value.length;
    reserve(1 + 3 * LONGEST_VARINT + key.length + valueLength);
    bytes[size++] = value == null ? DELETION : VALUE;
    varint(family);
    slice(key);
    if (value != null) {
      slice(value);
    }
    count++;
  }

  byte[] toBytes() {
    return Arrays.copyOf(toBuffer().array(), size);
  }

  /** The same without a copy, until something is appended. */
  ByteBuffer toBuffer() {
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[COUNT_OFFSET + i] = (byte) (count >>> Byte.SIZE * i);
    }
    return ByteBuffer.wrap(bytes, 0, size);
  }

  /** The number of the last row of each column family in a batch, the first row's being 1. */
  static Map<Integer, Integer> lastRows(byte[] batch) {
    Map<Integer, Integer> last = new HashMap<>();
    ByteBuffer rest = ByteBuffer.wrap(batch, HEADER_BYTES, batch.length - HEADER_BYTES);
    for (int row = 1; rest.hasRemaining(); row++) {
      byte tag = rest.get();
      last.put(readVarint(rest), row);
      skipSlice(rest);
      if (tag == VALUE) {
        skipSlice(rest);
      }
    }
    return last;
  }

  private static void skipSlice(ByteBuffer rest) {
    int length = readVarint(rest);
    rest.position(rest.position() + length);
  }

  private static int readVarint(ByteBuffer rest) {
    int value = 0;
    int shift = 0;
    byte next;
    do {
      next = rest.get();
      value |= (next & 0x7F) << shift;
      shift += 7;
    } while (next < 0);
    return value;
  }

  private void slice(byte[] slice) {
    varint(slice.length);
    System.arraycopy(slice, 0, bytes, size, slice.length);
    size += slice.length;
  }

  private void varint(int value) {
    int rest = value;
    while (rest >= 0x80) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, more)));
    }
  }
}
