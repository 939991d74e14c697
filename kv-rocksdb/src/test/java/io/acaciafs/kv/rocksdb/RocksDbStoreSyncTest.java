package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.rocksdb.log.local.LocalLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a commit does while the disk is slow, and after it failed. */
class RocksDbStoreSyncTest {
  private static final Table TABLE = new Table("rows", 8);
  private static final byte[] VALUE = {1};

  @TempDir private Path folder;
  private final Semaphore mayEnd = new Semaphore(0);
  private volatile boolean broken;
  private RocksDbStore store;

  @BeforeEach
  void open() {
    Database database =
        new DatabaseOpener(folder, Set.of(TABLE), RocksDbOptions.defaults(), LocalLog::open).open();
    store =
        new RocksDbStore(
            database,
            () -> {
              mayEnd.acquireUninterruptibly();
              if (broken) {
                throw new StoreException("disk error");
              }
              return database.syncLog();
            });
  }

  @AfterEach
  void close() {
    mayEnd.release(1_000);
    store.close();
  }

  @Test
  void commitsGoOnDuringASyncAndShareTheNext() throws Exception {
    List<CompletableFuture<Void>> commits = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      commits.add(put(1));
    }
    assertThat(store.get(key(1))).isEqualTo(VALUE);
    assertThat(commits).noneMatch(CompletableFuture::isDone);
    mayEnd.release(1_000);
    for (CompletableFuture<Void> commit : commits) {
      commit.get(30, TimeUnit.SECONDS);
    }
    assertThat(store.commits()).isEqualTo(100);
    assertThat(store.syncs()).isLessThanOrEqualTo(2);
  }

  @Test
  void whatIsCommittedIsThereBeforeItIsWritten() {
    put(1);
    put(2);
    Transaction removing = store.begin();
    removing.delete(key(1));
    removing.add(key(3), new Counters(new long[] {4}, new long[0]));
    removing.commit();
    Transaction adding = store.begin();
    adding.guardExists(key(2));
    adding.add(key(3), new Counters(new long[] {5}, new long[] {6}));
    CompletableFuture<Void> added = adding.commit();

    assertThat(added).isNotDone();
    assertThat(store.get(key(1))).isNull();
    assertThat(store.begin().get(key(2))).isEqualTo(VALUE);
    assertThat(Counters.decode(store.get(key(3))))
        .isEqualTo(new Counters(new long[] {9}, new long[] {6}));
    assertThat(scanned()).containsExactly(key(2), key(3));
    Transaction late = store.begin();
    late.guardExists(key(1));
    assertThat(late.validate()).isCompletedExceptionally();
  }

  private List<Key> scanned() {
    List<Key> keys = new ArrayList<>();
    try (Scan scan = store.scan(KeyRange.ofTable(TABLE))) {
      while (scan.hasNext()) {
        keys.add(scan.next().key());
      }
    }
    return keys;
  }

  @Test
  void aValidationDoesNotWaitForTheDisk() {
    put(1);
    Transaction reading = store.begin();
    reading.get(key(1));
    assertThat(reading.validate()).isCompleted();
  }

  @Test
  void aCommitWithoutWritesWaitsForWhatItSaw() throws Exception {
    CompletableFuture<Void> written = put(1);
    Transaction reading = store.begin();
    reading.get(key(1));
    CompletableFuture<Void> seen = reading.commit();
    assertThat(seen).isNotDone();
    mayEnd.release(10);
    written.get(60, TimeUnit.SECONDS);
    seen.get(60, TimeUnit.SECONDS);
    assertThat(store.begin().commit()).succeedsWithin(60, TimeUnit.SECONDS);
  }

  @Test
  void afterAFailedSyncTheStoreWritesNoMoreButReads() {
    broken = true;
    CompletableFuture<Void> failed = put(1);
    mayEnd.release();
    assertFails(failed);
    broken = false;
    mayEnd.release(10);
    assertFails(put(2));
    assertThat(store.get(key(1))).isEqualTo(VALUE);
    assertThat(store.get(key(2))).isNull();
  }

  @Test
  void aCallbackMayCommitButNotClose() throws Exception {
    CompletableFuture<Void> chained =
        put(1)
            .thenCompose(
                nothing -> {
                  assertThatThrownBy(store::close).isInstanceOf(IllegalStateException.class);
                  return put(2);
                });
    mayEnd.release(10);
    chained.get(30, TimeUnit.SECONDS);
    assertThat(store.get(key(2))).isEqualTo(VALUE);
  }

  private CompletableFuture<Void> put(int number) {
    Transaction transaction = store.begin();
    transaction.put(key(number), VALUE);
    return transaction.commit();
  }

  private static void assertFails(CompletableFuture<Void> commit) {
    assertThatThrownBy(() -> commit.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(StoreException.class);
  }

  private static Key key(int number) {
    return new Key(TABLE, new byte[] {(byte) number});
  }
}
