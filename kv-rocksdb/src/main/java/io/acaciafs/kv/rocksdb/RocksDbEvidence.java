package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Evidence;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import java.util.Arrays;

/** The versions, taken before they were read, of rows and of partitions that were scanned. */
final class RocksDbEvidence implements Evidence {
  private final RocksDbStore store;
  private final Versions rows = new Versions(8);
  private final Versions partitions = new Versions(1);
  private boolean uncertain;

  /** Slots with a version each. */
  private static final class Versions {
    private int[] slots;
    private long[] versions;
    private int count;

    private Versions(int expected) {
      slots = new int[expected];
      versions = new long[expected];
    }

    private void add(int slot, long version) {
      if (count == slots.length) {
        slots = Arrays.copyOf(slots, 2 * count);
        versions = Arrays.copyOf(versions, 2 * count);
      }
      slots[count] = slot;
      versions[count] = version;
      count++;
    }
  }

  RocksDbEvidence(RocksDbStore store) {
    this.store = store;
  }

  void add(RocksDbSighting sighting) {
    rows.add(sighting.slot(), sighting.version());
  }

  @Override
  public byte[] peek(Key key) {
    RocksDbSighting sighting = store.see(key);
    add(sighting);
    return sighting.value();
  }

  /** A range of several partitions is never certain. */
  @Override
  public Scan scan(KeyRange range) {
    PartitionVersions versions = store.partitions();
    if (PartitionVersions.watches(range.table()) && RocksDbScan.isInOnePartition(range)) {
      int slot = versions.slotOf(range.table(), range.from());
      partitions.add(slot, versions.version(slot));
    } else {
      uncertain = true;
    }
    return store.scan(range);
  }

  @Override
  public boolean holds() {
    if (uncertain) {
      return false;
    }
    for (int i = 0; i < partitions.count; i++) {
      if (!store.partitions().isAt(partitions.slots[i], partitions.versions[i])) {
        return false;
      }
    }
    for (int i = 0; i < rows.count; i++) {
      if (!store.isCurrent(rows.slots[i], rows.versions[i])) {
        return false;
      }
    }
    return true;
  }
}
