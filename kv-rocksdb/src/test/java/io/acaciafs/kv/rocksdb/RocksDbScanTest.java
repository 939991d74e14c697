package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scans of tables on disk, where filters decide which files are read. */
class RocksDbScanTest {
  private static final Table TABLE = new Table("rows", 2);
  private static final int PARTITIONS = 40;
  private static final int ROWS = 250;

  @TempDir private Path folder;

  @Test
  void scansThatFollowEachOtherDoNotMeet() throws Exception {
    try (RocksDbStore store = SmallStores.open(folder, Set.of(TABLE))) {
      Transaction transaction = store.begin();
      for (int row = 0; row < ROWS; row++) {
        transaction.put(key(1, row), new byte[] {1});
        transaction.put(key(2, row), new byte[] {2});
      }
      transaction.commit().get(30, TimeUnit.SECONDS);
      Scan ended = store.scan(KeyRange.ofPrefix(TABLE, new byte[] {0, 1}));
      ended.next();
      ended.close();
      ended.close();
      try (Scan one = store.scan(KeyRange.ofPrefix(TABLE, new byte[] {0, 1}));
          Scan two = store.scan(KeyRange.ofPrefix(TABLE, new byte[] {0, 2}))) {
        for (int row = 0; row < ROWS; row++) {
          assertThat(one.next().key()).isEqualTo(key(1, row));
          assertThat(ended.hasNext()).isFalse();
          assertThat(two.next().value()).isEqualTo(new byte[] {2});
        }
        assertThat(one.hasNext()).isFalse();
        assertThat(two.hasNext()).isFalse();
      }
    }
  }

  @Test
  void aPartitionOnDiskIsFoundWholeAndAlone() throws Exception {
    try (RocksDbStore store = SmallStores.open(folder, Set.of(TABLE))) {
      for (int row = 0; row < ROWS; row++) {
        Transaction transaction = store.begin();
        for (int partition = 0; partition < PARTITIONS; partition++) {
          byte[] value = new byte[300];
          new Random(row * 31L + partition).nextBytes(value);
          transaction.put(key(2 * partition, row), value);
        }
        transaction.commit().get(30, TimeUnit.SECONDS);
      }
      assertThat(tableFiles()).isPositive();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        List<Key> keys = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
          keys.add(key(2 * partition, row));
        }
        byte[] prefix = {0, (byte) (2 * partition)};
        assertThat(scan(store, KeyRange.ofPrefix(TABLE, prefix))).isEqualTo(keys);
        KeyRange second = KeyRange.ofPrefix(TABLE, prefix).startingAfter(keys.get(0).bytes());
        assertThat(scan(store, second)).isEqualTo(keys.subList(1, ROWS));
        byte[] absent = {0, (byte) (2 * partition + 1)};
        assertThat(scan(store, KeyRange.ofPrefix(TABLE, absent))).isEmpty();
      }
      assertThat(scan(store, KeyRange.ofTable(TABLE))).hasSize(PARTITIONS * ROWS).isSorted();
    }
  }

  private static List<Key> scan(RocksDbStore store, KeyRange range) {
    List<Key> keys = new ArrayList<>();
    try (Scan scan = store.scan(range)) {
      scan.forEachRemaining((Row row) -> keys.add(row.key()));
    }
    return keys;
  }

  private long tableFiles() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".sst")).count();
    }
  }

  private static Key key(int partition, int row) {
    return new Key(TABLE, ByteBuffer.allocate(6).putShort((short) partition).putInt(row).array());
  }
}
