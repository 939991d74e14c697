package io.acaciafs.kv.copy;

import io.acaciafs.kv.RowView;
import io.acaciafs.kv.Table;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * The checksum of some rows: the sum of a hash of 128 bits of each table, key and value. So parts
 * may be added up in any order. Against accidents, not against somebody who chooses rows.
 *
 * @param rows how many there are
 * @param first the upper half of the sum
 * @param second the lower half
 */
public record RowDigest(long rows, long first, long second) {
  public static final RowDigest EMPTY = new RowDigest(0, 0, 0);

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONE_MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final long OTHER_MULTIPLIER = 0xC2B2AE3D27D4EB4FL;

  /** That of both together. */
  public RowDigest plus(RowDigest other) {
    return new RowDigest(rows + other.rows, first + other.first, second + other.second);
  }

  /** Adds up rows of one table. Used by one thread. */
  static final class Sum {
    private final long seed;
    private byte[] key = {};
    private long rows;
    private long first;
    private long second;

    Sum(Table table) {
      seed = table.name().hashCode();
    }

    void add(RowView row) {
      byte[] keyBytes = keyOf(row);
      add(keyBytes, row.keyLength(), row.valueBuffer(), row.valueOffset(), row.valueLength());
    }

    private byte[] keyOf(RowView row) {
      int length = row.keyLength();
      if (key.length < length) {
        key = new byte[2 * length];
      }
      for (int i = 0; i < length; i++) {
        key[i] = row.keyByte(i);
      }
      return key;
    }

    private void add(byte[] keyBytes, int keyLength, byte[] value, int offset, int length) {
      rows++;
      first += hash(ONE_MULTIPLIER, keyBytes, keyLength, value, offset, length);
      second += hash(OTHER_MULTIPLIER, keyBytes, keyLength, value, offset, length);
    }

    private long hash(
        long multiplier, byte[] keyBytes, int keyLength, byte[] value, int offset, int length) {
      long hash = (seed ^ keyLength) * multiplier ^ length;
      hash = mix(multiplier, hash, keyBytes, 0, keyLength);
      hash = mix(multiplier, hash, value, offset, length);
      hash = (hash ^ hash >>> 29) * multiplier;
      return hash ^ hash >>> 32;
    }

    private static long mix(long multiplier, long start, byte[] bytes, int offset, int length) {
      long hash = start;
      int i = offset;
      int end = offset + length;
      for (; i + Long.BYTES <= end; i += Long.BYTES) {
        hash = (hash ^ (long) LONGS.get(bytes, i)) * multiplier;
        hash ^= hash >>> 32;
      }
      for (; i < end; i++) {
        hash = (hash ^ bytes[i]) * multiplier;
        hash ^= hash >>> 32;
      }
      return hash;
    }

    RowDigest end() {
      return new RowDigest(rows, first, second);
    }
  }

  /** For people. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%016x%016x", first, second);
  }
}
