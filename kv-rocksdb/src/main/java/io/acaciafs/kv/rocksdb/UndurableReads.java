package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the latest rows of a replicated store, and notes whether one of them may be taken back: a
 * reply that rests on it has to wait until it is durable. Used by one thread.
 */
final class UndurableReads implements Reader {
  private final RocksDbStore store;
  private boolean found;

  UndurableReads(RocksDbStore store) {
    this.store = store;
  }

  /** Whether a row was read that was not durable then. */
  boolean found() {
    return found;
  }

  /** The row has been read. */
  void note(Key key) {
    found = found || !store.isDurable(key);
  }

  /** Its rows are being read. */
  void note(KeyRange range) {
    found = found || !store.isDurable(range);
  }

  @Override
  public byte @Nullable [] get(Key key) {
    byte[] value = store.latest(key);
    note(key);
    return value;
  }

  @Override
  public Scan scan(KeyRange range) {
    return scan(List.of(range));
  }

  @Override
  public Scan scan(List<KeyRange> ranges) {
    Scan scan = store.latest(ranges);
    ranges.forEach(this::note);
    return scan;
  }
}
