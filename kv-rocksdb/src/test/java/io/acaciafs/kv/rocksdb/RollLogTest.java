package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** To roll the log in the midst of commits loses none of them. */
class RollLogTest {
  private static final Table ROWS = Table.ofSingleRows("rows");
  private static final int ROLLS = 20;
  private static final int COMMITS_BETWEEN = 50;

  @TempDir private Path folder;

  private static Key key(int number) {
    return new Key(ROWS, ByteBuffer.allocate(4).putInt(number).array());
  }

  @Test
  void nothingIsLost() throws Exception {
    try (RocksDbStore store = SmallStores.open(folder.resolve("store"), Set.of(ROWS))) {
      List<CompletableFuture<Void>> commits = new ArrayList<>();
      long last = 0;
      for (int roll = 0; roll < ROLLS; roll++) {
        for (int i = 0; i < COMMITS_BETWEEN; i++) {
          Transaction tx = store.begin();
          tx.put(key(commits.size()), new byte[100]);
          commits.add(tx.commit());
        }
        long first = store.rollLog();
        assertThat(first).isGreaterThan(last);
        last = first;
      }
      CompletableFuture.allOf(commits.toArray(CompletableFuture<?>[]::new))
          .get(60, TimeUnit.SECONDS);
      store.checkpoint(folder.resolve("copy"));
    }
    try (RocksDbStore copy = SmallStores.open(folder.resolve("copy"), Set.of(ROWS))) {
      for (int i = 0; i < ROLLS * COMMITS_BETWEEN; i++) {
        assertThat(copy.get(key(i))).as("row " + i).hasSize(100);
      }
    }
  }
}
