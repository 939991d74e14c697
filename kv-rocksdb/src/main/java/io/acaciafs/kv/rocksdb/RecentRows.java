package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The rows that were written last, so that reading them again, or adding to them, costs no call
 * into RocksDB: what was just made is often what is changed next. A fixed number of places, found
 * by the hash of the key; a row gives way to the next one at its place. Safe for use by many
 * threads; who writes a row holds its lock, and has shown it in the {@link WriteQueue} before.
 */
final class RecentRows {
  private static final int BITS = 14;

  private final AtomicReferenceArray<QueuedCommit.Row> places =
      new AtomicReferenceArray<>(1 << BITS);

  /** The latest state of a row; null where it is not known, which says nothing of the row. */
  QueuedCommit.Row get(Key key) {
    QueuedCommit.Row row = places.get(placeOf(key));
    return row != null && row.key().equals(key) ? row : null;
  }

  void put(QueuedCommit.Row row) {
    places.set(placeOf(row.key()), row);
  }

  /** The row was written, and is not worth a place. */
  void forget(Key key) {
    int place = placeOf(key);
    QueuedCommit.Row row = places.get(place);
    if (row != null && row.key().equals(key)) {
      places.compareAndSet(place, row, null);
    }
  }

  private static int placeOf(Key key) {
    return (int) (key.hash() >>> Long.SIZE - BITS);
  }
}
