package io.acaciafs.kv.rocksdb.memtable;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Batches of writes in RocksDB's own format: so rows lie in the {@link Memtable}, stand in the log,
 * and go over to native code many at a time. An object of this class is one batch, used by one
 * thread.
 *
 * <p>Source: write_batch.cc of RocksDB. A header of a sequence number (eight bytes, filled in
 * there) and a count (four bytes), little endian; then rows: a tag, the number of the column
 * family, the key and, unless the row is removed, the value; numbers and lengths are varints.
 */
public final class BatchEncoder {
  private static final int HEADER_BYTES = 12;
  private static final int COUNT_OFFSET = 8;
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

  boolean isEmpty() {
    return count == 0;
  }

  public int sizeBytes() {
    return size;
  }

  /** A null value removes the row. */
  public void append(int family, byte[] key, byte @Nullable [] value) {
    reserve(longestRow(key, value));
    size = put(bytes, size, family, key, value);
    count++;
  }

  /** Rows that are encoded already. */
  public void append(byte[] encoded, int from, int to, int rows) {
    reserve(to - from);
    System.arraycopy(encoded, from, bytes, size, to - from);
    size += to - from;
    count += rows;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, more)));
    }
  }

  byte[] toBytes() {
    return Arrays.copyOf(toBuffer().array(), size);
  }

  /** The same without a copy, until something is appended. */
  public ByteBuffer toBuffer() {
    ByteBuffer batch = ByteBuffer.wrap(bytes, 0, size);
    batch.putInt(COUNT_OFFSET, Integer.reverseBytes(count));
    return batch;
  }

  /** What a row takes, at most. */
  static int longestRow(byte[] key, byte @Nullable [] value) {
    return 1 + 3 * LONGEST_VARINT + key.length + (value == null ? 0 : value.length);
  }

  /**
   * Encodes a row; there is room for it. A null value removes it.
   *
   * @return where it ends
   */
  static int put(byte[] target, int offset, int family, byte[] key, byte @Nullable [] value) {
    int end = offset;
    target[end++] = value == null ? DELETION : VALUE;
    end = putSlice(target, putVarint(target, end, family), key);
    return value == null ? end : putSlice(target, end, value);
  }

  private static int putSlice(byte[] target, int offset, byte[] slice) {
    int begin = putVarint(target, offset, slice.length);
    System.arraycopy(slice, 0, target, begin, slice.length);
    return begin + slice.length;
  }

  private static int putVarint(byte[] target, int offset, int value) {
    int end = offset;
    int rest = value;
    while (rest >= 0x80) {
      target[end++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[end++] = (byte) rest;
    return end;
  }

  /**
   * Shows the rows of a batch, one after the other, and each only until the next one.
   *
   * @param from where in the buffer the batch begins
   * @param to where it ends
   */
  static void forEachRow(byte[] buffer, int from, int to, Consumer<EncodedRow> visitor) {
    EncodedRow row = new EncodedRow();
    for (int offset = from + HEADER_BYTES; offset < to; offset = row.end()) {
      row.decode(buffer, offset);
      visitor.accept(row);
    }
  }

  /** Where in a buffer the parts of a row are. Used by one thread, for one row after the other. */
  static final class EncodedRow {
    private byte[] bytes = {};
    private int begin;
    private int family;
    private int keyOffset;
    private int keyEnd;
    private int valueOffset;
    private int end;
    private int next;

    void decode(byte[] buffer, int offset) {
      bytes = buffer;
      begin = offset;
      next = offset + 1;
      family = varint();
      int keyLength = varint();
      keyOffset = next;
      keyEnd = keyOffset + keyLength;
      next = keyEnd;
      int valueLength = buffer[offset] == VALUE ? varint() : 0;
      valueOffset = buffer[offset] == VALUE ? next : -1;
      end = next + valueLength;
    }

    private int varint() {
      int value = 0;
      int shift = 0;
      byte read;
      do {
        read = bytes[next++];
        value |= (read & 0x7F) << shift;
        shift += 7;
      } while (read < 0);
      return value;
    }

    int family() {
      return family;
    }

    byte[] buffer() {
      return bytes;
    }

    /** Where it begins in the buffer. */
    int begin() {
      return begin;
    }

    int keyOffset() {
      return keyOffset;
    }

    int keyEnd() {
      return keyEnd;
    }

    boolean isKey(byte[] other, int from, int to) {
      return Arrays.equals(bytes, keyOffset, keyEnd, other, from, to);
    }

    int compareKey(byte[] other) {
      return Arrays.compareUnsigned(bytes, keyOffset, keyEnd, other, 0, other.length);
    }

    byte[] key() {
      return Arrays.copyOfRange(bytes, keyOffset, keyEnd);
    }

    boolean isRemoved() {
      return valueOffset < 0;
    }

    /** Negative where the row is removed. */
    int valueOffset() {
      return valueOffset;
    }

    /** Null: the row goes. */
    byte @Nullable [] value() {
      return isRemoved() ? null : Arrays.copyOfRange(bytes, valueOffset, end);
    }

    /** Where the row ends, and its value. */
    int end() {
      return end;
    }
  }
}
