package io.acaciafs.kv;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The key of a row: a table and bytes, ordered by unsigned bytes within their table. Immutable; the
 * array given is not copied and belongs to the key from then on.
 */
public final class Key implements Comparable<Key> {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final Table table;
  private final byte[] bytes;
  private final long hash;

  public Key(Table table, byte[] bytes) {
    this.table = table;
    this.bytes = bytes;
    this.hash = hash(table, bytes, 0, bytes.length);
  }

  /**
   * As {@link #hash()} of the key that some of the bytes are. Eight bytes at a time, as each
   * operation makes some keys, and each is asked for its hash.
   */
  public static long hash(Table table, byte[] bytes, int from, int to) {
    long hash = ((long) table.name().hashCode() ^ to - from) * MULTIPLIER;
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      hash = (hash ^ (long) LONGS.get(bytes, i)) * MULTIPLIER;
      hash ^= hash >>> 32;
    }
    for (; i < to; i++) {
      hash = (hash ^ bytes[i]) * MULTIPLIER;
    }
    return (hash ^ hash >>> 29) * MULTIPLIER;
  }

  public Table table() {
    return table;
  }

  /** The bytes themselves, not a copy: do not write to them. */
  public byte[] bytes() {
    return bytes;
  }

  /** Of the table and the bytes; its high bits are the better ones. The same in every process. */
  public long hash() {
    return hash;
  }

  /** By table name, then by unsigned bytes. */
  @Override
  public int compareTo(Key other) {
    int byTable = table.name().compareTo(other.table.name());
    return byTable != 0 ? byTable : Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key key
        && hash == key.hash
        && Arrays.equals(bytes, key.bytes)
        && (table == key.table || table.equals(key.table));
  }

  @Override
  public int hashCode() {
    return (int) (hash >>> 32);
  }

  @Override
  public String toString() {
    return table.name() + "/" + HexFormat.of().formatHex(bytes);
  }
}
