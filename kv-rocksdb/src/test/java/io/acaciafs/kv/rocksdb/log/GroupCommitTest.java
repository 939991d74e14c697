package io.acaciafs.kv.rocksdb.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
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
  private final GroupCommit syncer = new GroupCommit(this::sync, 3, GroupCommit.Pace.OF_A_DISK);

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
    first.get(60, TimeUnit.SECONDS);
    await(begun);
    assertThat(late).isNotDone();
    mayEnd.release();
    late.get(60, TimeUnit.SECONDS);
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
      commit.get(60, TimeUnit.SECONDS);
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
    blocked.get(60, TimeUnit.SECONDS);
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
    chained.get(60, TimeUnit.SECONDS);
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

  private CompletableFuture<Void> sync() {
    begun.release();
    mayEnd.acquireUninterruptibly();
    if (broken) {
      throw new StoreException("disk error");
    }
    return CompletableFuture.completedFuture(null);
  }

  /** A log that syncs elsewhere, with its syncs in the order in which they were asked for. */
  private static final class Remote {
    private final BlockingQueue<CompletableFuture<Void>> syncs = new LinkedBlockingQueue<>();
    private final GroupCommit syncer =
        new GroupCommit(this::sync, 1_000, GroupCommit.Pace.OF_A_DISK);

    private CompletableFuture<Void> sync() {
      CompletableFuture<Void> sync = new CompletableFuture<>();
      syncs.add(sync);
      return sync;
    }

    CompletableFuture<Void> next() throws InterruptedException {
      CompletableFuture<Void> next = syncs.poll(60, TimeUnit.SECONDS);
      assertThat(next).isNotNull();
      return next;
    }
  }

  @Test
  void severalGroupsAreUnderWay() throws Exception {
    Remote remote = new Remote();
    CompletableFuture<Void> first = remote.syncer.add();
    CompletableFuture<Void> firstSync = remote.next();
    CompletableFuture<Void> second = remote.syncer.add();
    CompletableFuture<Void> secondSync = remote.next();
    secondSync.complete(null);
    assertThat(first).isNotDone();
    assertThat(second).as("those before it are not durable yet").isNotDone();
    firstSync.complete(null);
    first.get(60, TimeUnit.SECONDS);
    second.get(60, TimeUnit.SECONDS);
    assertThat(remote.syncer.syncs()).isEqualTo(2);
    remote.syncer.close();
  }

  @Test
  void aBarrierWaitsForGroupsThatAreUnderWay() throws Exception {
    Remote remote = new Remote();
    assertThat(remote.syncer.barrier()).isCompleted();
    CompletableFuture<Void> commit = remote.syncer.add();
    CompletableFuture<Void> sync = remote.next();
    CompletableFuture<Void> barrier = remote.syncer.barrier();
    CompletableFuture<Void> syncOfBarrier = remote.next();
    assertThat(barrier).isNotDone();
    sync.complete(null);
    commit.get(60, TimeUnit.SECONDS);
    syncOfBarrier.complete(null);
    barrier.get(60, TimeUnit.SECONDS);
    remote.syncer.close();
  }

  @Test
  void aGroupThatFailsFailsAllBehindIt() throws Exception {
    Remote remote = new Remote();
    CompletableFuture<Void> first = remote.syncer.add();
    CompletableFuture<Void> firstSync = remote.next();
    CompletableFuture<Void> second = remote.syncer.add();
    remote.next().complete(null);
    firstSync.completeExceptionally(new StoreException("no quorum"));
    assertFails(first);
    assertFails(second);
    assertFails(remote.syncer.add());
    assertThat(remote.syncer.failure()).hasMessage("The log cannot be synced: no quorum");
    remote.syncer.close();
  }

  @Test
  void groupsUnderWayAreBounded() throws Exception {
    Remote remote = new Remote();
    List<CompletableFuture<Void>> commits = new ArrayList<>();
    List<CompletableFuture<Void>> syncs = new ArrayList<>();
    for (int i = 0; i < GroupCommit.Pace.OF_A_DISK.mostGroups(); i++) {
      commits.add(remote.syncer.add());
      syncs.add(remote.next());
    }
    CompletableFuture<Void> last = remote.syncer.add();
    assertThat(remote.syncs.poll(50, TimeUnit.MILLISECONDS)).isNull();
    syncs.get(0).complete(null);
    remote.next().complete(null);
    syncs.forEach(sync -> sync.complete(null));
    last.get(60, TimeUnit.SECONDS);
    assertThat(commits).allMatch(CompletableFuture::isDone);
    remote.syncer.close();
  }

  @Test
  void closingWaitsForGroupsThatAreUnderWay() throws Exception {
    Remote remote = new Remote();
    CompletableFuture<Void> commit = remote.syncer.add();
    CompletableFuture<Void> sync = remote.next();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(remote.syncer::close);
    assertThatThrownBy(() -> closed.get(50, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    sync.complete(null);
    closed.get(60, TimeUnit.SECONDS);
    assertThat(commit).isCompleted();
  }

  private static void await(Semaphore semaphore) throws InterruptedException {
    assertThat(semaphore.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
  }

  private static void assertFails(CompletableFuture<Void> commit) {
    assertThatThrownBy(() -> commit.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(StoreException.class);
  }
}
