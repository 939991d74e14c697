package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.rocksdb.files.PassingFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** A table whose rows nobody removes. */
class PassingRowsTest {
  private static final Table PASSING = Table.ofPassingRows("passing");
  private static final Table STAYING = Table.ofSingleRows("staying");
  private static final Key PASSES = new Key(PASSING, new byte[] {1});
  private static final Key STAYS = new Key(STAYING, new byte[] {1});
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path folder;

  @BeforeAll
  static void loadLibrary() {
    RocksDbStore.loadLibrary();
  }

  @Test
  void rowsSurviveARestart() throws Exception {
    putBoth(RocksDbOptions.defaults());
    for (int i = 0; i < 3; i++) {
      assertThat(valueAfterRestart(PASSES, RocksDbOptions.defaults())).containsExactly(7);
    }
  }

  @Test
  void rowsGoByThemselves() throws Exception {
    RocksDbOptions brief = RocksDbOptions.defaults().withPassingRowsKeptMs(1000);
    putBoth(brief);
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (valueAfterRestart(PASSES, brief) != null && System.nanoTime() < deadlineNs) {}

    assertThat(valueAfterRestart(PASSES, brief)).isNull();
    assertThat(valueAfterRestart(STAYS, brief)).containsExactly(7);
  }

  /** Neither while the store runs nor while it is closed. */
  @Test
  void aClockThatIsSetForwardRemovesNothing() throws Exception {
    long[] now = {System.currentTimeMillis(), 0};
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, folder.resolve("db").toString())) {
      for (int start = 0; start < 3; start++) {
        PassingFiles files = passingFiles(db, now);
        advance(now, 1, 1);
        files.update();
        advance(now, 500, 1);
        files.update();
        assertThat(keptForS(db)).isGreaterThanOrEqualTo(10 + 500);
        files.end();
        advance(now, 1_000, 0); // and what passes while nobody runs does not count either
      }
      PassingFiles files = passingFiles(db, now);
      files.update();
      assertThat(keptForS(db)).isBetween(4_500L, 4_600L);
      advance(now, 11, 11);
      files.update();
      assertThat(keptForS(db)).as("no file is left from before").isEqualTo(11);
    }
  }

  private static PassingFiles passingFiles(RocksDB db, long[] now) throws Exception {
    return new PassingFiles(
        db, List.of(db.getDefaultColumnFamily()), 10_000, () -> now[0], () -> now[1]);
  }

  private static void advance(long[] now, long wallSeconds, long seconds) {
    now[0] += TimeUnit.SECONDS.toMillis(wallSeconds);
    now[1] += TimeUnit.SECONDS.toNanos(seconds);
  }

  private static long keptForS(RocksDB db) throws Exception {
    return db.getOptions().ttl();
  }

  private void putBoth(RocksDbOptions options) throws Exception {
    try (RocksDbStore store = open(options)) {
      Transaction transaction = store.begin();
      transaction.put(PASSES, new byte[] {7});
      transaction.put(STAYS, new byte[] {7});
      transaction.commit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private byte[] valueAfterRestart(Key key, RocksDbOptions options) {
    try (RocksDbStore store = open(options)) {
      return store.get(key);
    }
  }

  private RocksDbStore open(RocksDbOptions options) {
    return RocksDbStore.open(folder, Set.of(PASSING, STAYING), options);
  }
}
