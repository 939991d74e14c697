package io.acaciafs.kv.raft.compare;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.RocksDbView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The rows of a table from a key on, of which ranges are taken one after the other. */
final class OrderedRows implements AutoCloseable {
  private final Table table;
  private final Scan scan;
  private byte[] at;

  /** Was fetched, and belongs to the next range. */
  private @Nullable Row pending;

  OrderedRows(RocksDbView view, Table table, byte[] from) {
    this.table = table;
    this.at = from;
    this.scan = view.scan(new KeyRange(table, from, null));
  }

  /** Whether the next row is the first one from a key on. */
  boolean isAt(Table of, byte[] key) {
    return table.equals(of) && Arrays.equals(at, key);
  }

  /** The next row, which stays the next one; null behind the last one. */
  @Nullable Row peek() {
    if (pending == null && scan.hasNext()) {
      pending = scan.next();
    }
    return pending;
  }

  /** The same where it is before a key; null: before the end of the table. */
  @Nullable Row peekBefore(byte @Nullable [] end) {
    Row row = peek();
    return row == null || end == null || Arrays.compareUnsigned(row.key().bytes(), end) < 0
        ? row
        : null;
  }

  void pass() {
    pending = null;
  }

  /** All rows before a key have been passed. */
  void isNowAt(byte[] key) {
    at = key;
  }

  @Override
  public void close() {
    scan.close();
  }
}
