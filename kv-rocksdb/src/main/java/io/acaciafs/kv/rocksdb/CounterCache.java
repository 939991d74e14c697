package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The rows of counters that were added to last, so that adding again reads nothing. A fixed number
 * of places, found by the hash of the key; a row gives way to the next one at its place. Safe for
 * use by many threads, of which those that touch one row hold its lock.
 */
final class CounterCache {
  private static final int BITS = 15;

  private final AtomicReferenceArray<Cached> places = new AtomicReferenceArray<>(1 << BITS);

  @SuppressWarnings("ArrayRecordComponent") // never written to
  private record Cached(Key key, byte[] value) {}

  /** Null where it is not known, which says nothing of the row. */
  byte[] get(Key key) {
    Cached cached = places.get(placeOf(key));
    return cached != null && cached.key.equals(key) ? cached.value : null;
  }

  void put(Key key, byte[] value) {
    places.set(placeOf(key), new Cached(key, value));
  }

  /** The row is written in another way than by adding. */
  void forget(Key key) {
    int place = placeOf(key);
    Cached cached = places.get(place);
    if (cached != null && cached.key.equals(key)) {
      places.compareAndSet(place, cached, null);
    }
  }

  private static int placeOf(Key key) {
    return (int) (key.hash() >>> Long.SIZE - BITS);
  }
}
