package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * What a durable commit of a create's five rows costs: by the commit log and the memtable of this
 * store, and by those of RocksDB. Both in turn; the process's CPU from the first commit to the
 * closed store, so flushes and compactions count. The store checks a guard in each commit besides.
 */
@Tag("long")
class LogCostTest {
  private static final int COMMITS = Integer.getInteger("acacia.log-cost-commits", 300_000);
  private static final int ROUNDS = Integer.getInteger("acacia.log-cost-rounds", 3);
  private static final int THREADS = 64;

  /** Lengths of keys and values of the rows that a create writes. */
  private static final int[][] ROWS = {{40, 90}, {30, 20}, {17, 24}, {17, 45}, {24, 60}};

  private static final List<Table> TABLES =
      List.of(
          new Table("t0", 16),
          new Table("t1", 16),
          Table.ofSingleRows("t2"),
          Table.ofSingleRows("t3"),
          Table.ofSingleRows("t4"));

  @TempDir private Path folder;

  /** Commits the rows of a create, durably. */
  private interface Committer {
    void commit(byte[][] keys, byte[][] values) throws Exception;

    void close();
  }

  private record Cost(double microsOfCpu, double perSecond) {}

  @Test
  void ofThisStoreAndOfRocksDb() throws Exception {
    List<Cost> ofStore = new ArrayList<>();
    List<Cost> ofRocksDb = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      Path stored = Files.createDirectory(folder.resolve("store-" + round));
      ofStore.add(run(() -> store(stored)));
      Path plain = Files.createDirectory(folder.resolve("rocksdb-" + round));
      ofRocksDb.add(run(() -> rocksDb(plain)));
      System.out.printf(
          "log cost: store %.1f us of CPU, %.0f/s; RocksDB %.1f us of CPU, %.0f/s%n",
          ofStore.get(round).microsOfCpu(),
          ofStore.get(round).perSecond(),
          ofRocksDb.get(round).microsOfCpu(),
          ofRocksDb.get(round).perSecond());
      assertThatAllIsThere(stored);
    }
  }

  private static Committer store(Path folder) {
    Store store = RocksDbStore.open(folder, Set.copyOf(TABLES), RocksDbOptions.defaults());
    return new Committer() {
      @Override
      public void commit(byte[][] keys, byte[][] values) {
        Transaction transaction = store.begin();
        transaction.guardAbsent(new Key(TABLES.get(0), keys[0]));
        for (int i = 0; i < keys.length; i++) {
          transaction.put(new Key(TABLES.get(i), keys[i]), values[i]);
        }
        transaction.commit().join();
      }

      @Override
      public void close() {
        store.close();
      }
    };
  }

  /** RocksDB as it comes, with its own group commit, log and memtables. */
  private static Committer rocksDb(Path folder) throws Exception {
    RocksDB.loadLibrary();
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    TABLES.forEach(
        table ->
            families.add(
                new ColumnFamilyDescriptor(table.name().getBytes(StandardCharsets.UTF_8))));
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    DBOptions options =
        new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
    WriteOptions synced = new WriteOptions().setSync(true);
    RocksDB db = RocksDB.open(options, folder.toString(), families, handles);
    return new Committer() {
      @Override
      public void commit(byte[][] keys, byte[][] values) throws Exception {
        try (WriteBatch batch = new WriteBatch()) {
          for (int i = 0; i < keys.length; i++) {
            batch.put(handles.get(i + 1), keys[i], values[i]);
          }
          db.write(synced, batch);
        }
      }

      @Override
      public void close() {
        handles.forEach(ColumnFamilyHandle::close);
        db.close();
        synced.close();
        options.close();
      }
    };
  }

  private static Cost run(Callable<Committer> opened) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Committer committer = opened.call();
      AtomicInteger next = new AtomicInteger();
      long cpuNs = cpuNs();
      long beganNs = System.nanoTime();
      List<Future<Void>> ended = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        ended.add(threads.submit(() -> commitAll(committer, next, new Random(thread))));
      }
      for (Future<Void> end : ended) {
        end.get();
      }
      long tookNs = System.nanoTime() - beganNs;
      committer.close();
      return new Cost((cpuNs() - cpuNs) / 1e3 / COMMITS, COMMITS * 1e9 / tookNs);
    } finally {
      threads.shutdown();
    }
  }

  private static Void commitAll(Committer committer, AtomicInteger next, Random random)
      throws Exception {
    for (int number = next.getAndIncrement(); number < COMMITS; number = next.getAndIncrement()) {
      byte[][] keys = new byte[ROWS.length][];
      byte[][] values = new byte[ROWS.length][];
      for (int i = 0; i < ROWS.length; i++) {
        keys[i] = new byte[ROWS[i][0]];
        ByteBuffer.wrap(keys[i]).putLong(number % 1_000).putLong(0).put((byte) i);
        ByteBuffer.wrap(keys[i]).putInt(keys[i].length - Integer.BYTES, number);
        values[i] = new byte[ROWS[i][1]];
        random.nextBytes(values[i]);
      }
      committer.commit(keys, values);
    }
    return null;
  }

  private static long cpuNs() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static void assertThatAllIsThere(Path folder) {
    try (Store store = RocksDbStore.open(folder, Set.copyOf(TABLES), RocksDbOptions.defaults());
        Scan rows = store.scan(KeyRange.ofTable(TABLES.get(0)))) {
      AtomicInteger count = new AtomicInteger();
      rows.forEachRow(row -> count.incrementAndGet() > 0);
      assertThat(count).hasValue(COMMITS);
    }
  }
}
