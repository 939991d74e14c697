package io.acaciafs.kv.rocksdb.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commits complete after a sync that began after them, together and in order. */
class GroupCommitTest {
  private final Semaphore begun = new Semaphore(0);
  private final Semaphore mayEnd = new Semaphore(0);
  private volatile boolean broken;
  private final GroupCommit syncer = new GroupCommit(this::sync, 3);

  @AfterEach
  void end() {
    mayEnd.release(1_000);
    syncer.close();
  }

  @Test
  void aCommitWaitsForASyncThatBeganAfterIt() throws Exception {
    CompletableFuture<Void> first = syncer.add();
    await(begun);
    CompletableFuture<Void> late = syncer.add();
    assertThat(first).isNotDone();
    mayEnd.release();
    first.get(10, TimeUnit.SECONDS);
    await(begun);
    assertThat(late).isNotDone();
    mayEnd.release();
    late.get(10, TimeUnit.SECONDS);
    assertThat(syncer.syncs()).isEqualTo(2);
  }

  @Test
  void commitsShareASyncAndCompleteInOrder() throws Exception {
    syncer.add();
    await(begun);
    List<Integer> order = new ArrayList<>();
    List<CompletableFuture<Void>> commits = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      int number = i;
      commits.add(syncer.add().thenRun(() -> order.add(number)));
    }
    mayEnd.release(2);
    for (CompletableFuture<Void> commit : commits) {
      commit.get(10, TimeUnit.SECONDS);
    }
    assertThat(order).hasSize(50).isSorted();
    assertThat(syncer.syncs()).isEqualTo(2);
    assertThat(syncer.commits()).isEqualTo(51);
  }

  @Test
  void afterAFailedSyncNothingIsPromised() throws Exception {
    broken = true;
    CompletableFuture<Void> first = syncer.add();
    await(begun);
    CompletableFuture<Void> next = syncer.add();
    mayEnd.release();
    assertFails(first);
    broken = false;
    assertFails(next);
    assertFails(syncer.add());
    assertThat(syncer.failure()).isNotNull();
    assertThat(syncer.syncs()).isZero();
  }

  @Test
  void tooManyCommitsWaitForRoom() throws Exception {
    syncer.add();
    await(begun);
    for (int i = 0; i < 3; i++) {
      syncer.awaitRoom();
      syncer.add();
    }
    CompletableFuture<Void> blocked = CompletableFuture.runAsync(syncer::awaitRoom);
    assertThatThrownBy(() -> blocked.get(50, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    mayEnd.release();
    blocked.get(10, TimeUnit.SECONDS);
  }

  @Test
  void aCallbackMayCommitThoughThereIsNoRoom() throws Exception {
    CompletableFuture<Void> chained =
        syncer
            .add()
            .thenCompose(
                nothing -> {
                  for (int i = 0; i < 10; i++) {
                    syncer.awaitRoom();
                    syncer.add();
                  }
                  return syncer.add();
                });
    mayEnd.release(5);
    chained.get(10, TimeUnit.SECONDS);
  }

  @Test
  void closingCompletesWhatWaits() throws Exception {
    CompletableFuture<Void> first = syncer.add();
    await(begun);
    CompletableFuture<Void> second = syncer.add();
    mayEnd.release(2);
    syncer.close();
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
  }

  private void sync() {
    begun.release();
    mayEnd.acquireUninterruptibly();
    if (broken) {
      throw new StoreException("disk error");
    }
  }

  private static void await(Semaphore semaphore) throws InterruptedException {
    assertThat(semaphore.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
  }

  private static void assertFails(CompletableFuture<Void> commit) {
    assertThatThrownBy(() -> commit.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(StoreException.class);
  }
}
