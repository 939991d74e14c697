package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The rows that were written last, so that reading them again, or adding to them, costs no call
 * into RocksDB: what was just made is often what is changed next. A fixed number of places, found
 * by the hash of the key; a row gives way to the next one at its place. Safe for use by many
 * threads; who writes a row holds its lock, and has shown it in the {@link WriteQueue} before.
 *
 * <p>The hashes of the keys stand beside the rows, as nearly every question is answered by them
 * alone: to follow a place to its row and on to the key would be to wait for memory each time. Who
 * puts writes the row first. So where a hash is, its row was there, and perhaps gave way; and a row
 * beside another hash, where two put at the same time, is found by nobody any more.
 */
final class RecentRows {
  private static final int BITS = 16;

  private final AtomicReferenceArray<QueuedCommit.Row> places =
      new AtomicReferenceArray<>(1 << BITS);
  private final AtomicLongArray hashes = new AtomicLongArray(1 << BITS);

  /** The latest state of a row; null where it is not known, which says nothing of the row. */
  QueuedCommit.Row get(Key key) {
    int place = placeOf(key);
    if (hashes.getAcquire(place) != key.hash()) {
      return null;
    }
    QueuedCommit.Row row = places.getAcquire(place);
    return row != null && row.key().equals(key) ? row : null;
  }

  void put(QueuedCommit.Row row) {
    int place = placeOf(row.key());
    places.setRelease(place, row);
    if (hashes.getPlain(place) != row.key().hash()) {
      hashes.setRelease(place, row.key().hash());
    }
  }

  /**
   * The row is not worth a place, or is about to change; that another one may lose its does no
   * harm.
   */
  void forget(Key key) {
    int place = placeOf(key);
    if (hashes.getAcquire(place) == key.hash()) {
      places.setRelease(place, null);
    }
  }

  private static int placeOf(Key key) {
    return (int) (key.hash() >>> Long.SIZE - BITS);
  }
}
