package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.rocksdb.lock.RowLocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a transaction guards, as they were seen. Used by one thread.
 *
 * <p>Rows share versions, so one that seems to have changed is read again: what counts is whether
 * it has the value that was read. A long transaction on a busy store would never succeed otherwise.
 */
final class Guards {
  private final List<RocksDbVersionedRow> seen = new ArrayList<>();

  void add(RocksDbVersionedRow versioned) {
    seen.add(versioned);
  }

  /**
   * @param held slots that the caller holds, ascending
   * @return a row that changed since it was read, or is about to; null where there is none
   */
  @Nullable Key firstChanged(RowLocks locks, int[] held) {
    for (int i = 0; i < seen.size(); i++) {
      RocksDbVersionedRow row = seen.get(i);
      if (!locks.isAt(row.slot(), row.version(), held)) {
        return row.key();
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
  @Nullable Key refresh(RowLocks locks, int[] held, Function<Key, byte[]> reader) {
    for (int i = 0; i < seen.size(); i++) {
      RocksDbVersionedRow row = seen.get(i);
      if (!locks.isAt(row.slot(), row.version(), held)) {
        long version =
            Arrays.binarySearch(held, row.slot()) >= 0
                ? locks.heldVersion(row.slot())
                : locks.version(row.slot());
        if (!Arrays.equals(row.value(), reader.apply(row.key()))) {
          return row.key();
        }
        seen.set(i, row.at(version));
      }
    }
    return null;
  }
}
