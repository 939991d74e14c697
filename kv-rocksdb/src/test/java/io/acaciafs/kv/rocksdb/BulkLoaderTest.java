package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BulkLoaderTest {
  private static final Table TABLE = new Table("rows", 2);
  private static final Table OTHER = Table.ofSingleRows("other");

  @TempDir private Path folder;

  private RocksDbStore open() {
    return RocksDbStore.open(folder, Set.of(TABLE, OTHER), RocksDbOptions.defaults());
  }

  private static Key key(Table table, int number) {
    return new Key(table, ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  private static byte[] value(int number) {
    return new byte[] {(byte) number, 1};
  }

  private static void load(BulkLoader loader, Table table, int from, int to) {
    try (BulkLoader.Run run = loader.begin(table)) {
      for (int i = from; i < to; i++) {
        run.add(key(table, i), value(i));
      }
    }
  }

  private static int count(RocksDbStore store) {
    int count = 0;
    try (Scan scan = store.scan(KeyRange.ofPrefix(TABLE, new byte[] {0, 0}))) {
      while (scan.hasNext()) {
        scan.next();
        count++;
      }
    }
    return count;
  }

  @Test
  void loadedRowsAreThereAndStay() {
    try (RocksDbStore store = open()) {
      BulkLoader loader = store.bulkLoader();
      load(loader, TABLE, 5000, 10_000);
      load(loader, TABLE, 0, 5000);
      load(loader, OTHER, 7, 8);
      assertThat(store.get(key(TABLE, 1))).as("before the end").isNull();
      loader.finish(TABLE);
      loader.finish(OTHER);
      assertThat(store.get(key(TABLE, 1234))).isEqualTo(value(1234));
    }
    try (RocksDbStore store = open()) {
      assertThat(count(store)).isEqualTo(10_000);
      assertThat(store.get(key(TABLE, 9999))).isEqualTo(value(9999));
      assertThat(store.get(key(OTHER, 7))).isEqualTo(value(7));
    }
  }

  @Test
  void transactionsChangeWhatWasLoaded() throws Exception {
    try (RocksDbStore store = open()) {
      BulkLoader loader = store.bulkLoader();
      load(loader, TABLE, 0, 10);
      loader.finish(TABLE);
      Transaction transaction = store.begin();
      assertThat(transaction.get(key(TABLE, 3))).isEqualTo(value(3));
      transaction.put(key(TABLE, 3), value(99));
      transaction.delete(key(TABLE, 4));
      transaction.commit().get(10, TimeUnit.SECONDS);
      assertThat(store.get(key(TABLE, 3))).isEqualTo(value(99));
      assertThat(count(store)).isEqualTo(9);
    }
  }

  @Test
  void runWithoutRowsLeavesNothing() throws Exception {
    try (RocksDbStore store = open()) {
      BulkLoader loader = store.bulkLoader();
      load(loader, TABLE, 0, 0);
      loader.finish(TABLE);
      assertThat(count(store)).isZero();
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files).noneMatch(file -> file.toString().contains("bulk"));
      }
    }
  }

  /** A kill may leave a link to a file that the store has taken over under a name to write to. */
  @Test
  void fileThatWasLeftIsNotWrittenInto() throws Exception {
    try (RocksDbStore store = open()) {
      BulkLoader loader = store.bulkLoader();
      load(loader, TABLE, 0, 10);
      loader.finish(TABLE);
      try (Stream<Path> files = Files.list(folder)) {
        Path taken =
            files.filter(file -> file.toString().endsWith(".sst")).findFirst().orElseThrow();
        Files.createLink(folder.resolve("bulk-0.sst.part"), taken);
      }
    }
    try (RocksDbStore store = open()) {
      BulkLoader loader = store.bulkLoader();
      load(loader, TABLE, 10, 5000);
      loader.finish(TABLE);
    }
    try (RocksDbStore store = open()) {
      assertThat(count(store)).isEqualTo(5000);
    }
  }

  @Test
  void rowOutOfOrderIsRefused() {
    try (RocksDbStore store = open();
        BulkLoader.Run run = store.bulkLoader().begin(TABLE)) {
      run.add(key(TABLE, 2), value(2));
      assertThatThrownBy(() -> run.add(key(TABLE, 1), value(1))).isInstanceOf(StoreException.class);
    }
  }
}
