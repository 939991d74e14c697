package io.acaciafs.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That a row is found whatever was said of rows that are not there. */
class RocksDbAbsenceTest {
  private static final Table NAMES = new Table("names", 4);

  /** Has keys that begin as those of the other one. */
  private static final Table OTHERS = new Table("others", 4);

  @TempDir private Path folder;
  private RocksDbStore store;

  @BeforeEach
  void open() {
    store = SmallStores.open(folder, Set.of(NAMES, OTHERS));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void findsRowsOfBeforeAndOfAfterManyWereNotThere() throws Exception {
    putAll("part", "old", 3_000);
    askForAbsent("part", 200);
    putAll("part", "new", 40_000);
    askForAbsent("part", 200);
    assertThatAllAreThere("part", "old", 3_000);
    assertThatAllAreThere("part", "new", 40_000);
  }

  @Test
  void findsRowsOfLargePartitions() throws Exception {
    putAll("part", "old", 20_000);
    askForAbsent("part", 200);
    putAll("part", "new", 20_000);
    assertThatAllAreThere("part", "old", 20_000);
    assertThatAllAreThere("part", "new", 20_000);
  }

  @Test
  void findsRowsOfMorePartitionsThanItHasPlacesFor() throws Exception {
    int partitions = 10_000;
    for (int round = 0; round < 3; round++) {
      List<CompletableFuture<Void>> commits = new ArrayList<>();
      for (int part = 0; part < partitions; part++) {
        String name = String.format("%04d", part);
        askForAbsent(name, 3);
        commits.add(put(name, "r" + round, 1));
      }
      for (CompletableFuture<Void> commit : commits) {
        commit.get(30, TimeUnit.SECONDS);
      }
    }
    for (int part = 0; part < partitions; part++) {
      for (int round = 0; round < 3; round++) {
        assertThatAllAreThere(String.format("%04d", part), "r" + round, 1);
      }
    }
  }

  @Test
  void keepsTablesApart() throws Exception {
    askForAbsent("part", 200);
    Transaction transaction = store.begin();
    for (int i = 0; i < 20_000; i++) {
      transaction.put(new Key(OTHERS, ("part" + "x" + i).getBytes(UTF_8)), new byte[] {1});
    }
    transaction.commit().get(30, TimeUnit.SECONDS);
    for (int i = 0; i < 20_000; i++) {
      assertThat(store.get(new Key(OTHERS, ("part" + "x" + i).getBytes(UTF_8)))).isNotNull();
    }
  }

  /**
   * Each writer's rows are there as soon as they are committed, whoever builds a filter meanwhile.
   */
  @Test
  void findsRowsThatAreWrittenWhileFiltersAreMade() throws Exception {
    int writers = 4;
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      List<Future<Integer>> lost = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        String prefix = "w" + writer + "-";
        lost.add(threads.submit(() -> writeAndRead(prefix)));
      }
      for (Future<Integer> each : lost) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isZero();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private int writeAndRead(String prefix) throws Exception {
    int lost = 0;
    List<CompletableFuture<Void>> commits = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      String part = "p" + i / 500 % 9 + "__"; // all writers come to a new partition together
      Key key = key(part, "a" + prefix + i);
      Transaction transaction = store.begin();
      if (transaction.get(key) != null) {
        lost++;
      }
      transaction.put(key, new byte[] {1});
      commits.add(transaction.commit());
      if (store.get(key) == null) {
        lost++;
      }
    }
    for (CompletableFuture<Void> commit : commits) {
      commit.get(30, TimeUnit.SECONDS);
    }
    for (int i = 0; i < 20_000; i++) {
      if (store.get(key("p" + i / 500 % 9 + "__", "a" + prefix + i)) == null) {
        lost++;
      }
    }
    return lost;
  }

  private void putAll(String part, String prefix, int count) throws Exception {
    put(part, prefix, count).get(30, TimeUnit.SECONDS);
  }

  private CompletableFuture<Void> put(String part, String prefix, int count) {
    Transaction transaction = store.begin();
    for (int i = 0; i < count; i++) {
      transaction.put(key(part, "x" + prefix + i), new byte[] {1});
    }
    return transaction.commit();
  }

  private void askForAbsent(String part, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(store.get(key(part, "xabsent" + i))).isNull();
    }
  }

  private void assertThatAllAreThere(String part, String prefix, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(store.get(key(part, "x" + prefix + i))).as("%s%s", prefix, i).isNotNull();
    }
  }

  private static Key key(String part, String rest) {
    return new Key(NAMES, (part + rest).getBytes(UTF_8));
  }
}
