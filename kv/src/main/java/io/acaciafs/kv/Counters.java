package io.acaciafs.kv;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A row of counters, and equally a change of one: {@code plus} adds up the sums and keeps the
 * larger of each maximum, so changes commute and may be merged in any order. Immutable by contract:
 * the arrays belong to the record.
 *
 * <p>Stored as: format byte 1; number of sums (byte); number of maxima (byte); the values, eight
 * bytes each, big endian.
 *
 * @param sums missing ones count as 0
 * @param maxima missing ones count as {@link Long#MIN_VALUE}
 */
public record Counters(long[] sums, long[] maxima) {
  public static final Counters EMPTY = new Counters(new long[0], new long[0]);

  private static final byte FORMAT = 1;
  private static final int HEADER_BYTES = 3;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  public Counters {
    if (sums.length > Byte.MAX_VALUE || maxima.length > Byte.MAX_VALUE) {
      throw new IllegalArgumentException("A row has at most 127 sums and 127 maxima");
    }
  }

  public long sum(int index) {
    return index < sums.length ? sums[index] : 0;
  }

  public long maximum(int index) {
    return index < maxima.length ? maxima[index] : Long.MIN_VALUE;
  }

  /** Both together; neither operand changes. */
  public Counters plus(Counters delta) {
    long[] newSums = Arrays.copyOf(sums, Math.max(sums.length, delta.sums.length));
    for (int i = 0; i < delta.sums.length; i++) {
      newSums[i] += delta.sums[i];
    }
    long[] newMaxima = new long[Math.max(maxima.length, delta.maxima.length)];
    for (int i = 0; i < newMaxima.length; i++) {
      newMaxima[i] = Math.max(maximum(i), delta.maximum(i));
    }
    return new Counters(newSums, newMaxima);
  }

  /**
   * The same row with this change in it; the values are added where they lie.
   *
   * @param row as {@link #encode} made it; null where there is none
   */
  public byte[] addTo(byte @Nullable [] row) {
    if (row == null || !isEncoded(row) || row[1] < sums.length || row[2] < maxima.length) {
      return decode(row).plus(this).encode();
    }
    byte[] changed = row.clone();
    int offset = HEADER_BYTES;
    for (int i = 0; i < sums.length; i++, offset += Long.BYTES) {
      LONGS.set(changed, offset, (long) LONGS.get(row, offset) + sums[i]);
    }
    offset = HEADER_BYTES + Long.BYTES * row[1];
    for (int i = 0; i < maxima.length; i++, offset += Long.BYTES) {
      LONGS.set(changed, offset, Math.max((long) LONGS.get(row, offset), maxima[i]));
    }
    return changed;
  }

  public byte[] encode() {
    ByteBuffer buffer = ByteBuffer.allocate(HEADER_BYTES + 8 * (sums.length + maxima.length));
    buffer.put(FORMAT).put((byte) sums.length).put((byte) maxima.length);
    for (long sum : sums) {
      buffer.putLong(sum);
    }
    for (long maximum : maxima) {
      buffer.putLong(maximum);
    }
    return buffer.array();
  }

  /**
   * @param row as {@link #encode} made it; null (no such row) gives {@link #EMPTY}
   * @throws StoreException when the bytes are no row of counters
   */
  public static Counters decode(byte @Nullable [] row) {
    if (row == null) {
      return EMPTY;
    }
    if (!isEncoded(row)) {
      throw new StoreException("Not a row of counters: " + Arrays.toString(row));
    }
    ByteBuffer buffer = ByteBuffer.wrap(row, HEADER_BYTES, row.length - HEADER_BYTES);
    long[] sums = new long[row[1]];
    Arrays.setAll(sums, i -> buffer.getLong());
    long[] maxima = new long[row[2]];
    Arrays.setAll(maxima, i -> buffer.getLong());
    return new Counters(sums, maxima);
  }

  /**
   * Whether {@link #encode} could have made these bytes. No record of Protocol Buffers begins so:
   * it would be a field with the number 0.
   */
  public static boolean isEncoded(byte[] row) {
    return row.length >= HEADER_BYTES
        && row[0] == FORMAT
        && row[1] >= 0
        && row[2] >= 0
        && row.length == HEADER_BYTES + Long.BYTES * (row[1] + row[2]);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Counters counters
        && Arrays.equals(sums, counters.sums)
        && Arrays.equals(maxima, counters.maxima);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(sums) + Arrays.hashCode(maxima);
  }

  @Override
  public String toString() {
    return "sums=" + Arrays.toString(sums) + " maxima=" + Arrays.toString(maxima);
  }
}
