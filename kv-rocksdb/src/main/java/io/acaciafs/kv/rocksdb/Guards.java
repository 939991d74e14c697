package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Rows that were read, with the versions and values that they had. Used by one thread.
 *
 * <p>Rows share versions, so one that seems to have changed is read again: what counts is whether
 * it has the value that was read. A long transaction on a busy store would never succeed otherwise.
 */
final class Guards {
  private static final int USUAL = 8;

  private final List<Key> keys = new ArrayList<>(USUAL);
  private int[] slots = new int[USUAL];
  private long[] versions = new long[USUAL];
  private byte[][] values = new byte[USUAL][];

  /**
   * @param value null: there was no such row
   */
  void add(Key key, int slot, long version, byte[] value) {
    int index = keys.size();
    if (index == slots.length) {
      slots = Arrays.copyOf(slots, 2 * index);
      versions = Arrays.copyOf(versions, 2 * index);
      values = Arrays.copyOf(values, 2 * index);
    }
    slots[index] = slot;
    versions[index] = version;
    values[index] = value;
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

  /**
   * Reads the rows again whose version is not what it was, and takes over the new version of those
   * that have the same value still. They are to be checked once more after that, as the others may
   * have changed meanwhile.
   *
   * @param held slots that the caller holds, ascending
   * @return a row that has another value; null where there is none
   */
  Key refresh(RowLocks locks, int[] held, Function<Key, byte[]> reader) {
    for (int i = 0; i < keys.size(); i++) {
      if (!locks.isAt(slots[i], versions[i], held)) {
        long version =
            Arrays.binarySearch(held, slots[i]) >= 0
                ? locks.heldVersion(slots[i])
                : locks.version(slots[i]);
        if (!Arrays.equals(values[i], reader.apply(keys.get(i)))) {
          return keys.get(i);
        }
        versions[i] = version;
      }
    }
    return null;
  }
}
