package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits that are larger than a segment of the log, before anything else and behind it. */
class LargeCommitTest {
  private static final Table TABLE = new Table("rows", 2);
  private static final int ROWS = 17_000;

  @TempDir private Path folder;
  private RocksDbStore store;

  @BeforeEach
  void open() {
    store = open(folder.resolve("store"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static RocksDbStore open(Path where) {
    return RocksDbStore.open(where, Set.of(TABLE), RocksDbOptions.defaults());
  }

  private static Key key(int commit, int row) {
    return new Key(TABLE, ByteBuffer.allocate(8).putInt(commit).putInt(row).array());
  }

  private void commit(int number, int rows, int bytes) throws Exception {
    Transaction transaction = store.begin();
    for (int row = 0; row < rows; row++) {
      transaction.put(key(number, row), new byte[bytes]);
    }
    transaction.commit().get(60, TimeUnit.SECONDS);
  }

  /** What would be there if the process had ended now. */
  private RocksDbStore halted(String name) throws IOException {
    Path copy = folder.resolve(name);
    CrashCopy.of(folder.resolve("store"), copy);
    return open(copy);
  }

  private static void assertHas(RocksDbStore found, int commit, int rows) {
    for (int row = 0; row < rows; row++) {
      assertThat(found.get(key(commit, row))).isNotNull();
    }
  }

  @Test
  void theFirstAfterAnOpenStays() throws Exception {
    commit(1, ROWS, 1_000);
    commit(2, 1, 1);
    store.checkpoint(folder.resolve("copy"));
    commit(3, 3, 17 << 20);
    commit(4, 1, 1);
    try (RocksDbStore copy = open(folder.resolve("copy"))) {
      assertHas(copy, 1, ROWS);
      assertHas(copy, 2, 1);
    }
    try (RocksDbStore found = halted("halted")) {
      assertHas(found, 1, ROWS);
      assertHas(found, 2, 1);
      assertHas(found, 3, 3);
      assertHas(found, 4, 1);
    }
  }

  @Test
  void theFirstAfterAStopOrACrashStays() throws Exception {
    commit(1, 1, 1);
    store.close();
    open();
    commit(2, ROWS, 1_000);
    commit(3, 1, 1);
    RocksDbStore left = halted("halted");
    store.close();
    store = left;
    commit(4, ROWS, 1_000);
    commit(5, 1, 1);
    store.close();
    store = open(folder.resolve("halted"));
    assertHas(store, 1, 1);
    assertHas(store, 2, ROWS);
    assertHas(store, 3, 1);
    assertHas(store, 4, ROWS);
    assertHas(store, 5, 1);
  }

  @Test
  void whatNoRecoveryCouldTakeIsRefusedAndTheStoreGoesOn() throws Exception {
    byte[] large = new byte[1 << 27];
    Transaction transaction = store.begin();
    for (int row = 0; row < 5; row++) {
      transaction.put(key(1, row), large);
    }
    assertThatThrownBy(() -> transaction.commit().get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(StoreException.class)
        .hasMessageContaining("is larger than the store takes: 536870912");
    assertThat(store.get(key(1, 0))).isNull();
    commit(2, 1, 1);
    assertHas(store, 2, 1);
  }
}
