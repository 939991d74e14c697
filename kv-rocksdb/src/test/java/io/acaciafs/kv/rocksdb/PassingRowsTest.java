package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table whose rows nobody removes. */
class PassingRowsTest {
  private static final Table PASSING = Table.ofPassingRows("passing");
  private static final Table STAYING = Table.ofSingleRows("staying");
  private static final Key PASSES = new Key(PASSING, new byte[] {1});
  private static final Key STAYS = new Key(STAYING, new byte[] {1});
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path folder;

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
      return store.peek(key);
    }
  }

  private RocksDbStore open(RocksDbOptions options) {
    return RocksDbStore.open(folder, Set.of(PASSING, STAYING), options);
  }
}
