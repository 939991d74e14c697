package io.acaciafs.fsimage.sort;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Rows in memory, sorted by a merge sort over their numbers: objects would cost more than the rows.
 * For one thread at a time.
 */
final class SortBuffer {
  private static final int LENGTHS_BYTES = Integer.BYTES + Integer.BYTES;
  private static final int WRITE_BYTES = 1 << 20;
  private static final int INSERTION = 8;

  /** Rows are no shorter than that on average; a quarter of the buffer goes for their numbers. */
  private static final int BYTES_A_ROW = 48;

  private final byte[] bytes;
  private final long[] prefixes;
  private final int[] offsets;
  private int end;
  private int rows;

  SortBuffer(int capacityBytes) {
    bytes = new byte[capacityBytes];
    prefixes = new long[capacityBytes / BYTES_A_ROW + 1];
    offsets = new int[prefixes.length];
  }

  /** What a row takes. */
  static int bytesOf(byte[] key, byte[] value) {
    return LENGTHS_BYTES + key.length + value.length;
  }

  /**
   * @return false when it is full
   */
  boolean add(byte[] key, byte[] value) {
    int length = bytesOf(key, value);
    if (length > bytes.length - end || rows == offsets.length) {
      return false;
    }
    ByteBuffer at = ByteBuffer.wrap(bytes, end, length);
    at.putInt(key.length).putInt(value.length).put(key).put(value);
    prefixes[rows] = ByteBuffer.wrap(key).getLong();
    offsets[rows++] = end;
    end += length;
    return true;
  }

  private int compare(int one, int other) {
    int byPrefix = Long.compareUnsigned(prefixes[one], prefixes[other]);
    if (byPrefix != 0) {
      return byPrefix;
    }
    int oneKey = offsets[one] + LENGTHS_BYTES;
    int otherKey = offsets[other] + LENGTHS_BYTES;
    return Arrays.compareUnsigned(
        bytes,
        oneKey + Long.BYTES,
        oneKey + lengthAt(offsets[one]),
        bytes,
        otherKey + Long.BYTES,
        otherKey + lengthAt(offsets[other]));
  }

  private int lengthAt(int offset) {
    return ByteBuffer.wrap(bytes).getInt(offset);
  }

  private int[] sort() {
    int[] order = new int[rows];
    Arrays.setAll(order, i -> i);
    sort(order.clone(), order, 0, rows);
    return order;
  }

  /** What {@code from} and {@code to} both hold in this range is sorted into {@code to}. */
  private void sort(int[] from, int[] to, int low, int high) {
    if (high - low < INSERTION) {
      for (int i = low + 1; i < high; i++) {
        int row = to[i];
        int at = i;
        for (; at > low && compare(to[at - 1], row) > 0; at--) {
          to[at] = to[at - 1];
        }
        to[at] = row;
      }
      return;
    }
    int middle = (low + high) >>> 1;
    sort(to, from, low, middle);
    sort(to, from, middle, high);
    if (compare(from[middle - 1], from[middle]) <= 0) { // often in order already
      System.arraycopy(from, low, to, low, high - low);
      return;
    }
    for (int i = low, left = low, right = middle; i < high; i++) {
      boolean takeLeft = right >= high || left < middle && compare(from[left], from[right]) <= 0;
      to[i] = takeLeft ? from[left++] : from[right++];
    }
  }

  /** Sorts, and writes all as {@link RunCursor} reads it. */
  void writeTo(Path run) throws IOException {
    int[] order = sort();
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(run), WRITE_BYTES))) {
      for (int row : order) {
        int offset = offsets[row];
        int length = LENGTHS_BYTES + lengthAt(offset) + lengthAt(offset + Integer.BYTES);
        out.write(bytes, offset, length);
      }
    }
  }

  /** Sorts, and walks over all; nothing may be added any more. */
  RowCursor sorted() {
    int[] order = sort();
    return new RowCursor() {
      private int at = -1;

      @Override
      public boolean next() {
        return ++at < order.length;
      }

      @Override
      public long prefix() {
        return prefixes[order[at]];
      }

      @Override
      public byte[] key() {
        int offset = offsets[order[at]];
        int key = offset + LENGTHS_BYTES;
        return Arrays.copyOfRange(bytes, key, key + lengthAt(offset));
      }

      @Override
      public byte[] value() {
        int offset = offsets[order[at]];
        int value = offset + LENGTHS_BYTES + lengthAt(offset);
        return Arrays.copyOfRange(bytes, value, value + lengthAt(offset + Integer.BYTES));
      }

      @Override
      public void close() {}
    };
  }
}
