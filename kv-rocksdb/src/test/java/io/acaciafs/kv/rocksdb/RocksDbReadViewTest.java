package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** While rows go from the memtable into files, those of a moment are of that moment, or refused. */
class RocksDbReadViewTest {
  private static final Table TABLE = new Table("rows", 2);
  private static final int ROWS = 40;
  private static final int PARTITIONS = 4;
  private static final int COMMITS = 2_000;

  @TempDir private Path folder;

  @Test
  void whileRowsDepart() throws Exception {
    try (RocksDbStore store = SmallStores.open(folder, Set.of(TABLE))) {
      write(store, 0);
      AtomicBoolean ended = new AtomicBoolean();
      CompletableFuture<Integer> reader =
          CompletableFuture.supplyAsync(
              () -> {
                int whole = 0;
                while (!ended.get()) {
                  whole += isOfOneCommit(store) ? 1 : 0;
                }
                return whole;
              });
      try {
        for (int commit = 1; commit <= COMMITS && !reader.isDone(); commit++) {
          write(store, commit);
        }
      } finally {
        ended.set(true);
      }
      assertThat(reader.get(60, TimeUnit.SECONDS)).isPositive();
      assertThat(store.moment().flushCount()).isGreaterThan(2);
    }
  }

  /** Every row of a commit has its number. */
  private static void write(RocksDbStore store, int commit) throws Exception {
    Transaction transaction = store.begin();
    for (int row = 0; row < ROWS; row++) {
      byte[] value = new byte[400];
      new Random(commit).nextBytes(value);
      transaction.put(key(row), ByteBuffer.wrap(value).putInt(0, commit).array());
    }
    transaction.commit().get(30, TimeUnit.SECONDS);
  }

  private static Key key(int row) {
    return new Key(TABLE, new byte[] {0, (byte) (row % PARTITIONS), (byte) row});
  }

  private static boolean isOfOneCommit(RocksDbStore store) {
    try {
      Reader moment = store.begin().readView();
      byte[] first = moment.get(key(0));
      for (int row = 1; row < ROWS; row++) {
        assertThat(moment.get(key(row))).isEqualTo(first);
      }
      int scanned = 0;
      for (int partition = 0; partition < PARTITIONS; partition++) {
        byte[] prefix = {0, (byte) partition};
        try (Scan scan = moment.scan(KeyRange.ofPrefix(TABLE, prefix))) {
          while (scan.hasNext()) {
            Row row = scan.next();
            assertThat(Arrays.equals(row.value(), first)).isTrue();
            scanned++;
          }
        }
      }
      assertThat(scanned).isEqualTo(ROWS);
      return true;
    } catch (ConflictException e) {
      return false; // rows have left the memtable
    }
  }
}
