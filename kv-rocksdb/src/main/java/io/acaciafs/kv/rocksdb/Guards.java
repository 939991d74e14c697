package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows that were read, with the versions that they had. Used by one thread. */
final class Guards {
  private static final int USUAL = 8;

  private final List<Key> keys = new ArrayList<>(USUAL);
  private int[] slots = new int[USUAL];
  private long[] versions = new long[USUAL];

  void add(Key key, int slot, long version) {
    int index = keys.size();
    if (index == slots.length) {
      slots = Arrays.copyOf(slots, 2 * index);
      versions = Arrays.copyOf(versions, 2 * index);
    }
    slots[index] = slot;
    versions[index] = version;
    keys.add(key);
  }

  /**
   * @param held slots that the caller holds, ascending
   * @return a row that changed since it was read, or is about to; null where there is none
   */
  Key firstChanged(RowLocks locks, int[] held) {
    for (int i = 0; i < keys.size(); i++) {
      if (!locks.isAt(slots[i], versions[i], held)) {
        return keys.get(i);
      }
    }
    return null;
  }
}
