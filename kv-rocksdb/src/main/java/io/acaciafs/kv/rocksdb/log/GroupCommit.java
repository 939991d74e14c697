package io.acaciafs.kv.rocksdb.log;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.rocksdb.common.Failure;
import io.acaciafs.kv.rocksdb.common.ThreadEnd;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes commits durable in groups: one thread has the log synced for all that were written before,
 * and completes their futures in the order in which they came, without a lock. Where the log syncs
 * on other threads or machines, several groups are under way.
 *
 * <p>After a failed sync the system may have dropped what it could not write, so a later sync that
 * succeeds would prove nothing: everything fails from then on.
 */
public final class GroupCommit implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
  private static final String THREAD_NAME = "rocksdb-group-commit";
  private static final CompletableFuture<Void> FAILED =
      CompletableFuture.failedFuture(new StoreException("The log has failed"));
  private static final long LONGEST_WAIT_MS = 60_000;
  private static final int FEWEST_TO_LINGER_FOR = 8;
  private static final long LONGEST_SLEEP_NS = TimeUnit.SECONDS.toNanos(10);

  /**
   * How large groups become.
   *
   * @param mostGroups so many may be under way
   * @param longestLingerNs so long a group waits for more commits
   */
  public record Pace(int mostGroups, long longestLingerNs) {
    /** A sync costs as much as dozens of commits. */
    public static final Pace OF_A_DISK = new Pace(16, TimeUnit.MICROSECONDS.toNanos(200));

    /**
     * A group costs each server as much as a hundred commits, whatever its size: one at a time
     * takes all that came meanwhile.
     */
    public static final Pace OF_SERVERS = new Pace(1, TimeUnit.MICROSECONDS.toNanos(500));
  }

  /** No number of commits wakes the thread: it is awake. */
  private static final int NONE = Integer.MAX_VALUE;

  private final Supplier<CompletableFuture<Void>> sync;
  private final int limit;
  private final Pace pace;
  private final Thread thread;

  private final LongAdder syncs = new LongAdder();
  private final LongAdder commits = new LongAdder();

  /** A commit that waits, and the one that came before it. */
  private static final class Waiting extends CompletableFuture<Void> {
    private @Nullable Waiting before;
  }

  /** Commits that one sync makes durable, the oldest first. */
  private record Group(@Nullable Waiting oldest, CompletableFuture<Void> synced) {}

  /** Those whose sync has begun; of the thread. */
  private final Deque<Group> groups = new ArrayDeque<>();

  /** Those whose sync has not begun. */
  private final AtomicReference<Waiting> newest = new AtomicReference<>();

  /** How many these are; a moment later than they are there. */
  private final AtomicInteger queued = new AtomicInteger();

  /** When so many wait, the thread is woken. */
  private final AtomicInteger wanted = new AtomicInteger(NONE);

  /** The number of commits in the last group. */
  private int lastGroup;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();

  /** Changed under the lock. */
  private volatile int waitingForRoom;

  private final AtomicInteger writing = new AtomicInteger();

  /** From before a group is taken until the futures of all groups are complete. */
  private volatile boolean syncing;

  private volatile boolean closing;
  private volatile @Nullable StoreException failure;

  /**
   * Starts the thread, which {@link #close} ends.
   *
   * @param sync makes everything durable that was written before; its futures complete in their
   *     order, or fail
   * @param limit how many commits may wait
   */
  public GroupCommit(Supplier<CompletableFuture<Void>> sync, int limit, Pace pace) {
    this.sync = sync;
    this.limit = limit;
    this.pace = pace;
    this.thread = new Thread(this::run, THREAD_NAME);
    thread.setDaemon(true);
    thread.start();
  }

  public long syncs() {
    return syncs.sum();
  }

  public long commits() {
    return commits.sum();
  }

  /** Commits whose sync has not begun. */
  public int waiting() {
    return Math.max(0, queued.get());
  }

  /** Why nothing can be made durable any more; null as long as it can. */
  public @Nullable StoreException failure() {
    return failure;
  }

  public boolean isOwnThread() {
    return Thread.currentThread() == thread;
  }

  /**
   * Waits while too many commits wait for the disk. The syncing thread itself, which may commit in
   * a callback, does not wait for itself.
   *
   * @throws StoreException when the disk does not get on
   */
  public void awaitRoom() {
    if (queued.get() < limit || isOwnThread()) {
      return;
    }
    lock.lock();
    waitingForRoom++;
    try {
      long leftNs = TimeUnit.MILLISECONDS.toNanos(LONGEST_WAIT_MS);
      while (queued.get() >= limit && failure == null) {
        if (leftNs <= 0) {
          throw new StoreException("The log was not synced for " + LONGEST_WAIT_MS + " ms");
        }
        leftNs = room.awaitNanos(leftNs);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while waiting for the disk", e);
    } finally {
      waitingForRoom--;
      lock.unlock();
    }
  }

  /** Takes note of a commit that was written; its future completes once it is durable. */
  public CompletableFuture<Void> add() {
    commits.increment();
    return awaitSync();
  }

  private CompletableFuture<Void> awaitSync() {
    Waiting durable = new Waiting();
    Waiting before;
    do {
      before = newest.get();
      durable.before = before;
    } while (!newest.compareAndSet(before, durable));
    int number = queued.incrementAndGet();
    int enough = wanted.get();
    if (number >= enough && wanted.compareAndSet(enough, NONE)) {
      LockSupport.unpark(thread);
    }
    return durable;
  }

  /** A commit is about to write; until {@link #endWrite} it may be visible and not be added yet. */
  public void beginWrite() {
    writing.incrementAndGet();
  }

  public void endWrite() {
    writing.decrementAndGet();
  }

  /** Completes once all that is visible now is durable. */
  public CompletableFuture<Void> barrier() {
    StoreException failed = failure;
    if (failed != null) {
      return CompletableFuture.failedFuture(
          Failure.of("It is not known whether what was read is durable", failed));
    }
    // In the order in which a commit goes through them, so that none slips by.
    return writing.get() == 0 && newest.get() == null && !syncing && failure == null
        ? CompletableFuture.completedFuture(null)
        : awaitSync();
  }

  /** Promises nothing any more. */
  public void fail(StoreException cause) {
    lock.lock();
    try {
      if (failure == null) {
        failure = cause;
        LOG.error("Nothing can be made durable any more", cause);
      }
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Completes everything that waits and ends the thread. Nothing may be added any more. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    if (!ThreadEnd.await(thread, LONGEST_WAIT_MS)) {
      throw new StoreException("The log was not synced for " + LONGEST_WAIT_MS + " ms");
    }
  }

  private void run() {
    while (awaitWork()) {
      completeGroups();
      if (newest.get() != null && groups.size() < pace.mostGroups) {
        linger();
        begin();
      }
    }
  }

  /** Waits for commits, or for the end of a sync; false at the end. */
  private boolean awaitWork() {
    while (!isAtWork() && !(closing && isIdle())) {
      awaitQueued(groups.size() < pace.mostGroups ? 1 : NONE, LONGEST_SLEEP_NS);
    }
    return !isIdle();
  }

  private boolean isIdle() {
    return groups.isEmpty() && newest.get() == null;
  }

  private boolean isAtWork() {
    return isOldestSynced() || newest.get() != null && groups.size() < pace.mostGroups;
  }

  private boolean isOldestSynced() {
    Group oldest = groups.peekFirst();
    return oldest != null && oldest.synced().isDone();
  }

  private void begin() {
    syncing = true;
    Waiting oldest = take();
    CompletableFuture<Void> synced = failure == null ? sync() : FAILED;
    groups.add(new Group(oldest, synced));
    if (!synced.isDone()) {
      synced.whenComplete((nothing, failed) -> LockSupport.unpark(thread));
    }
    completeGroups();
  }

  private CompletableFuture<Void> sync() {
    try {
      return sync.get();
    } catch (Throwable e) { // whatever it is, nothing was promised yet
      return CompletableFuture.failedFuture(e);
    }
  }

  private void completeGroups() {
    while (isOldestSynced()) {
      Group group = groups.removeFirst();
      note(group.synced());
      StoreException failed = failure;
      for (Waiting durable = group.oldest(); durable != null; durable = durable.before) {
        if (failed == null) {
          durable.complete(null);
        } else {
          durable.completeExceptionally(
              Failure.of("It is not known whether the commit is durable", failed));
        }
      }
    }
    syncing = !groups.isEmpty();
  }

  private void note(CompletableFuture<Void> synced) {
    if (failure == null) {
      try {
        synced.join();
        syncs.increment();
      } catch (CompletionException | CancellationException e) {
        fail(Failure.of("The log cannot be synced", e.getCause() == null ? e : e.getCause()));
      }
    }
  }

  /**
   * Those whose commits have just become durable are about to commit again. To wait for many of
   * them halves the number of syncs, each of which costs as much as dozens of commits; to wait for
   * no more than half of them leaves the other half something to do while this one is synced. Where
   * few commit at a time it would only cost them time.
   */
  private void linger() {
    if (lastGroup >= FEWEST_TO_LINGER_FOR) {
      awaitQueued((lastGroup + queued.get()) / 2, pace.longestLingerNs);
    }
  }

  /** Waits until so many wait, a sync has ended, the time is over, or there is an end. */
  private void awaitQueued(int number, long longestNs) {
    long beginNs = System.nanoTime();
    for (long passedNs = 0; passedNs < longestNs; passedNs = System.nanoTime() - beginNs) {
      wanted.set(number);
      if (queued.get() >= number || isOldestSynced() || closing && groups.isEmpty()) {
        break;
      }
      LockSupport.parkNanos(this, longestNs - passedNs);
      Thread.interrupted(); // nobody does; it would not sleep any more
    }
    wanted.set(NONE);
  }

  /** All commits that wait; the oldest, and behind it all others in their order. */
  private @Nullable Waiting take() {
    Waiting group = newest.getAndSet(null);
    Waiting oldest = null;
    int size = 0;
    while (group != null) {
      Waiting before = group.before;
      group.before = oldest;
      oldest = group;
      group = before;
      size++;
    }
    queued.addAndGet(-size);
    lastGroup = size;
    if (waitingForRoom > 0) {
      signalRoom();
    }
    return oldest;
  }

  private void signalRoom() {
    lock.lock();
    try {
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
