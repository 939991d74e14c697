package io.acaciafs.kv.hbase.transaction;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a transaction has before it reads them, as they were when they were fetched. Used by
 * one thread at a time.
 */
final class PrefetchedRows implements Reader {
  private final Reader others;
  private Map<Key, Early> rows = Map.of();

  /**
   * @param guardsBefore how many rows the transaction had guarded when this one was requested
   */
  record Early(HBaseVersionedRow versioned, int guardsBefore) {}

  /**
   * @param others tells of rows that are not here
   */
  PrefetchedRows(Reader others) {
    this.others = others;
  }

  void add(Map<Key, HBaseVersionedRow> versionedRows, int guardsBefore) {
    if (rows.isEmpty()) {
      rows = new HashMap<>();
    }
    versionedRows.forEach((key, versioned) -> rows.put(key, new Early(versioned, guardsBefore)));
  }

  /** Null where it is not here. */
  @Nullable Early early(Key key) {
    return rows.get(key);
  }

  @Override
  public byte @Nullable [] get(Key key) {
    Early early = rows.get(key);
    if (early == null) {
      return others.get(key);
    }
    byte[] value = early.versioned().value();
    return value == null ? null : value.clone();
  }

  @Override
  public Scan scan(KeyRange range) {
    return others.scan(range);
  }

  @Override
  public Scan scan(KeyRange range, int count) {
    return others.scan(range, count);
  }
}
