package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Table;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/**
 * Keys of the store as row keys of HBase: the name of the table, a zero, the key. One HBase table
 * for all keeps a transaction over several tables one request as long as they share a region.
 */
final class RowKeys {
  private static final byte END_OF_NAME = 0;

  private RowKeys() {}

  static byte[] of(Key key) {
    return prefixed(key.table(), key.bytes());
  }

  static Key toKey(Table table, byte[] row) {
    return new Key(table, Arrays.copyOfRange(row, table.name().length() + 1, row.length));
  }

  static byte[] first(KeyRange range) {
    return prefixed(range.table(), range.from());
  }

  /** The row behind the last one of a range. */
  static byte[] end(KeyRange range) {
    if (range.to() != null) {
      return prefixed(range.table(), range.to());
    }
    byte[] end = prefixed(range.table(), new byte[0]);
    end[end.length - 1] = END_OF_NAME + 1;
    return end;
  }

  /** The leading bytes of a row key within which no region should end. */
  static int longestPartition(Set<Table> tables) {
    return tables.stream()
        .filter(table -> table.partitionLength() < Integer.MAX_VALUE)
        .mapToInt(table -> table.name().length() + 1 + table.partitionLength())
        .max()
        .orElse(0);
  }

  private static byte[] prefixed(Table table, byte[] key) {
    byte[] name = table.name().getBytes(StandardCharsets.US_ASCII);
    byte[] row = Arrays.copyOf(name, name.length + 1 + key.length);
    System.arraycopy(key, 0, row, name.length + 1, key.length);
    return row;
  }
}
