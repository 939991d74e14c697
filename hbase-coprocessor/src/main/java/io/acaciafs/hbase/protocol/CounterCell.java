package io.acaciafs.hbase.protocol;

import java.nio.ByteBuffer;

/**
 * A cell of counters: a byte that says so, and a row of counters. These are stored as format byte
 * 1; number of sums (byte); number of maxima (byte); the values, eight bytes each.
 */
public final class CounterCell {
  private static final int KIND_BYTES = 1;
  private static final int HEADER_BYTES = 3;
  private static final byte FORMAT = 1;

  private CounterCell() {}

  /**
   * A cell with a change in it: sums are added up, and of each maximum the larger is kept.
   *
   * @param cell may have fewer or more sums and maxima than the change
   * @param change a row of counters
   * @throws IllegalArgumentException if one of them is something else
   */
  public static byte[] plus(byte[] cell, byte[] change) {
    ByteBuffer now = ByteBuffer.wrap(cell);
    ByteBuffer added = ByteBuffer.wrap(change);
    require(now, KIND_BYTES);
    require(added, 0);
    int sums = Math.max(now.get(KIND_BYTES + 1), added.get(1));
    int maxima = Math.max(now.get(KIND_BYTES + 2), added.get(2));
    ByteBuffer sum = ByteBuffer.allocate(KIND_BYTES + HEADER_BYTES + Long.BYTES * (sums + maxima));
    sum.put(cell[0]).put(FORMAT).put((byte) sums).put((byte) maxima);
    for (int i = 0; i < sums; i++) {
      sum.putLong(sum(now, KIND_BYTES, i) + sum(added, 0, i));
    }
    for (int i = 0; i < maxima; i++) {
      sum.putLong(Math.max(maximum(now, KIND_BYTES, i), maximum(added, 0, i)));
    }
    return sum.array();
  }

  private static void require(ByteBuffer bytes, int begin) {
    boolean isHeader =
        bytes.capacity() >= begin + HEADER_BYTES
            && bytes.get(begin) == FORMAT
            && bytes.get(begin + 1) >= 0
            && bytes.get(begin + 2) >= 0;
    if (!isHeader
        || bytes.capacity()
            != begin + HEADER_BYTES + Long.BYTES * (bytes.get(begin + 1) + bytes.get(begin + 2))) {
      throw new IllegalArgumentException("Not a row of counters");
    }
  }

  private static long sum(ByteBuffer bytes, int begin, int index) {
    return index < bytes.get(begin + 1)
        ? bytes.getLong(begin + HEADER_BYTES + Long.BYTES * index)
        : 0;
  }

  private static long maximum(ByteBuffer bytes, int begin, int index) {
    return index < bytes.get(begin + 2)
        ? bytes.getLong(begin + HEADER_BYTES + Long.BYTES * (bytes.get(begin + 1) + index))
        : Long.MIN_VALUE;
  }
}
