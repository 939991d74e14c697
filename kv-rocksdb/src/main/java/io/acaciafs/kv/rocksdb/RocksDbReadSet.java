package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.ReadSet;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.rocksdb.memtable.Memtable;
import io.acaciafs.kv.rocksdb.memtable.PartitionVersions;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The versions, taken before they were read, of rows and of partitions that were scanned. They lie
 * in one piece of memory: what a kept answer costs is mostly waiting for that.
 */
final class RocksDbReadSet implements ReadSet {
  private static final int ROWS_EXPECTED = 6;

  private final RocksDbStore store;

  /** A slot, of a partition inverted, and its version; and so on. */
  private long[] seen = new long[2 * ROWS_EXPECTED];

  private int count;
  private boolean uncertain;

  /** Null where what is visible is never taken back. */
  private final @Nullable UndurableReads undurable;

  RocksDbReadSet(RocksDbStore store, @Nullable UndurableReads undurable) {
    this.store = store;
    this.undurable = undurable;
  }

  void add(RocksDbVersionedRow versioned) {
    add(versioned.slot(), versioned.version());
  }

  private void add(int slot, long version) {
    if (count == seen.length) {
      seen = Arrays.copyOf(seen, 2 * count);
    }
    seen[count++] = slot;
    seen[count++] = version;
  }

  @Override
  public byte @Nullable [] get(Key key) {
    RocksDbVersionedRow versioned = store.getVersioned(key);
    add(versioned);
    if (undurable != null) {
      undurable.note(key);
    }
    return versioned.value();
  }

  /** A range of several partitions is never certain. */
  void add(KeyRange range) {
    PartitionVersions versions = store.partitions();
    if (PartitionVersions.watches(range.table()) && range.isInOnePartition()) {
      int slot = versions.slotOf(range.table(), range.from());
      add(~slot, versions.version(slot));
    } else {
      uncertain = true;
    }
  }

  /** A row that is read as it was at a moment. */
  void add(Key key, Memtable.Moment moment) {
    int slot = store.slotOf(key);
    long version = store.versionSince(key, slot, moment);
    if (version < 0) {
      uncertain = true;
    } else {
      add(slot, version);
    }
  }

  /** A range of which rows are read as they were at a moment. */
  void add(KeyRange range, Memtable.Moment moment) {
    add(range); // its version shows commits that have begun to write there
    uncertain = uncertain || !store.isQuietSince(range, moment);
  }

  @Override
  public Scan scan(KeyRange range) {
    add(range);
    return undurable == null ? store.scan(range) : undurable.scan(range);
  }

  @Override
  public boolean holds() {
    if (uncertain || !store.holdsLease()) {
      return false;
    }
    for (int i = 0; i < count; i += 2) {
      if (!isAt((int) seen[i], seen[i + 1])) {
        return false;
      }
    }
    return true;
  }

  private boolean isAt(int slot, long version) {
    return slot < 0 ? store.partitions().isAt(~slot, version) : store.isCurrent(slot, version);
  }
}
