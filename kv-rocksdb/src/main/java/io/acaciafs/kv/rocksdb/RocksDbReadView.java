package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.rocksdb.memtable.Memtable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All rows as they were at one moment, until rows leave the memtable: what RocksDB has does not
 * change before, and the memtable keeps what came before a number. So it costs nothing to have one.
 * Used by one thread.
 */
final class RocksDbReadView implements Reader {
  private final RocksDbStore store;
  private final Memtable.Moment moment;

  /** Null until a caller asks for rows. */
  private final @Nullable RocksDbReadSet readSet;

  /** Null where what is visible is never taken back. */
  private final @Nullable UndurableReads undurable;

  RocksDbReadView(
      RocksDbStore store, @Nullable RocksDbReadSet readSet, @Nullable UndurableReads undurable) {
    this.store = store;
    this.undurable = undurable;
    this.readSet = readSet;
    this.moment = store.moment();
  }

  @Override
  public byte @Nullable [] get(Key key) {
    if (readSet != null) {
      readSet.add(key, moment);
    }
    if (undurable != null) {
      undurable.note(key);
    }
    return store.get(key, moment);
  }

  @Override
  public Scan scan(KeyRange range) {
    if (readSet != null) {
      readSet.add(range, moment);
    }
    if (undurable != null) {
      undurable.note(range);
    }
    return store.scan(List.of(range), moment);
  }

  @Override
  public Scan scan(List<KeyRange> ranges) {
    if (readSet != null) {
      ranges.forEach(range -> readSet.add(range, moment));
    }
    if (undurable != null) {
      ranges.forEach(undurable::note);
    }
    return store.scan(ranges, moment);
  }
}
