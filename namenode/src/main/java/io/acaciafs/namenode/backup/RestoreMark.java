package io.acaciafs.namenode.backup;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Store;
import io.acaciafs.namenode.members.MemberTable;
import io.acaciafs.namenode.store.DurableRow;
import java.io.IOException;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Which restore has made a shared store, so that it can tell its own table from another one of the
 * same name. A row that stays, see docs/format.md.
 *
 * @param random no two restores have the same
 */
record RestoreMark(byte[] random) {
  private static final Key KEY = new Key(MemberTable.table(), new byte[] {4});
  private static final int RANDOM_BYTES = 16;

  /** Of the restore that runs now; writes it. */
  static RestoreMark leave(Store store, RandomGenerator random) throws IOException {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    DurableRow.put(store, KEY, bytes, "The restored store could not be written");
    return new RestoreMark(bytes);
  }

  /** Whether the store has it. */
  boolean isIn(Reader store) {
    return Arrays.equals(random, store.get(KEY));
  }

  /** Whether one restore has made both stores. */
  static boolean isSame(Reader one, Reader other) {
    byte[] bytes = one.get(KEY);
    return bytes != null && new RestoreMark(bytes).isIn(other);
  }
}
