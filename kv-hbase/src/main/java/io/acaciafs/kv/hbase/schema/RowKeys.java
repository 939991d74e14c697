package io.acaciafs.kv.hbase.schema;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Table;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Keys of the store as row keys of HBase. One HBase table for all keeps a transaction over several
 * tables one request as long as they share a region.
 *
 * <pre>
 * name of the table, 0, key            of small tables
 * ~, shard, name of the table, 0, key   of large ones
 * </pre>
 *
 * Where rows are scattered the shard is a hash of the key, so rows with the same key lie in the
 * same shard whatever their table: index rows of one id are written together. Where partitions are
 * long enough to be spread the shard is the first four bits of the key: they come in order, shard
 * behind shard. The choice of an id is a choice of its shard, and with it the partition that its
 * rows lie beside.
 */
public final class RowKeys {
  /** Parts of tables that would grow at one end. Part of the format. */
  public static final int SHARDS = 16;

  /** Behind all names of tables. */
  public static final byte SCATTERED = '~';

  private static final byte END_OF_NAME = 0;
  private static final int SHARD_BITS = 4;
  private static final int NO_PILE = -1;

  private RowKeys() {}

  public static byte[] of(Key key) {
    return of(key.table(), shardOf(key), key.bytes());
  }

  private static byte[] of(Table table, int shard, byte[] key) {
    return shard == NO_PILE ? inOrder(table, key) : inShard(table, shard, key);
  }

  /** The shard of a row; -1 where it lies in none. */
  public static int shardOf(Key key) {
    if (key.table().isScattered()) {
      return hashOf(key.bytes());
    }
    return isSpread(key.table()) ? firstBitsOf(key.bytes()) : NO_PILE;
  }

  /** Whether its partitions are spread over the shards, in their order. */
  public static boolean isSpread(Table table) {
    return !table.isScattered()
        && table.partitionLength() > 1
        && table.partitionLength() < Integer.MAX_VALUE;
  }

  private static int firstBitsOf(byte[] key) {
    return key.length == 0 ? 0 : (key[0] & 0xFF) >>> (Byte.SIZE - SHARD_BITS);
  }

  public static Key toKey(Table table, byte[] row) {
    return toKey(table, row, 0, row.length);
  }

  /** The key in a row that is a part of an array. */
  public static Key toKey(Table table, byte[] array, int offset, int length) {
    int prefix = table.name().length() + (table.isScattered() || isSpread(table) ? 3 : 1);
    return new Key(table, Arrays.copyOfRange(array, offset + prefix, offset + length));
  }

  /**
   * Rows in the order of their keys, one after the other.
   *
   * @param end the row behind the last one
   */
  public record Run(byte[] first, byte[] end) {}

  /** All runs that a range is in. */
  public static List<Run> runs(KeyRange range) {
    if (isSpread(range.table())) {
      return runsOfSpread(range);
    }
    if (!range.table().isScattered()) {
      return List.of(
          new Run(
              inOrder(range.table(), range.from()),
              range.to() == null
                  ? behind(inOrder(range.table(), new byte[0]))
                  : inOrder(range.table(), range.to())));
    }
    List<Run> runs = new ArrayList<>(SHARDS);
    for (int shard = 0; shard < SHARDS; shard++) {
      runs.add(
          new Run(
              inShard(range.table(), shard, range.from()),
              range.to() == null
                  ? behind(inShard(range.table(), shard, new byte[0]))
                  : inShard(range.table(), shard, range.to())));
    }
    return runs;
  }

  private static List<Run> runsOfSpread(KeyRange range) {
    Table table = range.table();
    int first = firstBitsOf(range.from());
    int last = range.to() == null ? SHARDS - 1 : firstBitsOf(range.to());
    List<Run> runs = new ArrayList<>();
    for (int shard = first; shard <= last; shard++) {
      byte[] from = inShard(table, shard, shard == first ? range.from() : new byte[0]);
      byte[] to =
          shard == last && range.to() != null
              ? inShard(table, shard, range.to())
              : behind(inShard(table, shard, new byte[0]));
      if (Arrays.compareUnsigned(from, to) < 0) { // else the range ends where the shard begins
        runs.add(new Run(from, to));
      }
    }
    return runs;
  }

  private static byte[] behind(byte[] prefix) {
    prefix[prefix.length - 1] = END_OF_NAME + 1;
    return prefix;
  }

  /** The leading bytes of a row key within which no region should end. */
  public static int longestPartition(Set<Table> tables) {
    return tables.stream()
        .filter(table -> table.partitionLength() < Integer.MAX_VALUE)
        .mapToInt(
            table -> table.name().length() + (isSpread(table) ? 3 : 1) + table.partitionLength())
        .max()
        .orElse(0);
  }

  private static int hashOf(byte[] key) {
    return (Arrays.hashCode(key) * 0x9E3779B9) >>> (Integer.SIZE - SHARD_BITS);
  }

  private static byte[] inShard(Table table, int shard, byte[] key) {
    return prefixed(new byte[] {SCATTERED, (byte) shard}, table, key);
  }

  private static byte[] inOrder(Table table, byte[] key) {
    return prefixed(new byte[0], table, key);
  }

  private static byte[] prefixed(byte[] prefix, Table table, byte[] key) {
    byte[] name = table.name().getBytes(StandardCharsets.US_ASCII);
    byte[] row = Arrays.copyOf(prefix, prefix.length + name.length + 1 + key.length);
    System.arraycopy(name, 0, row, prefix.length, name.length);
    System.arraycopy(key, 0, row, row.length - key.length, key.length);
    return row;
  }
}
