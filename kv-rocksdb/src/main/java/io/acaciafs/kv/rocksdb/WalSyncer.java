package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes commits durable in groups: one thread syncs the log for all that were written before it
 * began, then completes their futures in the order in which they came, without a lock, and then
 * does what nobody has to wait for.
 *
 * <p>After a failed sync the system may have dropped what it could not write, so a later sync that
 * succeeds would prove nothing: everything fails from then on.
 */
final class WalSyncer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WalSyncer.class);
  private static final String THREAD_NAME = "rocksdb-wal-sync";
  private static final long LONGEST_WAIT_MS = 60_000;
  private static final int FEWEST_TO_LINGER_FOR = 8;
  private static final long LONGEST_LINGER_NS = TimeUnit.MICROSECONDS.toNanos(200);

  private final Runnable sync;
  private final Runnable afterwards;
  private final int limit;
  private final Thread thread;
  private final LongAdder syncs = new LongAdder();
  private final LongAdder commits = new LongAdder();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition room = lock.newCondition();
  private List<CompletableFuture<Void>> waiting = new ArrayList<>();

  /** How many wait; written under the lock. */
  private volatile int queued;

  /** When so many wait, the thread goes on at once; 0 while it does not linger. */
  private int wanted;

  /** How many the last sync completed. */
  private int lastGroup;

  private final AtomicInteger writing = new AtomicInteger();
  private boolean syncing;
  private boolean closing;
  private volatile StoreException failure;

  /**
   * Starts the thread, which {@link #close} ends.
   *
   * @param sync makes everything durable that was written before; throws {@link StoreException}
   * @param afterwards follows when the futures are complete; after an error everything fails
   * @param limit how many commits may wait
   */
  WalSyncer(Runnable sync, Runnable afterwards, int limit) {
    this.sync = sync;
    this.afterwards = afterwards;
    this.limit = limit;
    this.thread = new Thread(this::run, THREAD_NAME);
    thread.setDaemon(true);
    thread.start();
  }

  long syncs() {
    return syncs.sum();
  }

  long commits() {
    return commits.sum();
  }

  /** Commits whose sync has not begun. */
  int waiting() {
    return queued;
  }

  /** Why nothing can be made durable any more; null as long as it can. */
  StoreException failure() {
    return failure;
  }

  boolean isOwnThread() {
    return Thread.currentThread() == thread;
  }

  /**
   * Waits while too many commits wait for the disk. The syncing thread itself, which may commit in
   * a callback, does not wait for itself.
   *
   * @throws StoreException when the disk does not get on
   */
  void awaitRoom() {
    if (queued < limit || isOwnThread()) {
      return;
    }
    lock.lock();
    try {
      long leftNs = TimeUnit.MILLISECONDS.toNanos(LONGEST_WAIT_MS);
      while (waiting.size() >= limit && failure == null) {
        if (leftNs <= 0) {
          throw new StoreException("The log was not synced for " + LONGEST_WAIT_MS + " ms");
        }
        leftNs = room.awaitNanos(leftNs);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while waiting for the disk", e);
    } finally {
      lock.unlock();
    }
  }

  /** Takes note of a commit that was written; its future completes once it is durable. */
  CompletableFuture<Void> add() {
    commits.increment();
    CompletableFuture<Void> durable = new CompletableFuture<>();
    lock.lock();
    try {
      waiting.add(durable);
      queued = waiting.size();
      if (queued == 1 || queued == wanted) {
        work.signal();
      }
    } finally {
      lock.unlock();
    }
    return durable;
  }

  /** A commit is about to write; until {@link #endWrite} it may be visible and not be added yet. */
  void beginWrite() {
    writing.incrementAndGet();
  }

  void endWrite() {
    writing.decrementAndGet();
  }

  /** Completes once all that is visible now is durable. */
  CompletableFuture<Void> barrier() {
    lock.lock();
    try {
      if (failure != null) {
        return CompletableFuture.failedFuture(
            new StoreException("It is not known whether what was read is durable", failure));
      }
      if (waiting.isEmpty() && !syncing && writing.get() == 0) {
        return CompletableFuture.completedFuture(null);
      }
      CompletableFuture<Void> durable = new CompletableFuture<>();
      waiting.add(durable);
      work.signal();
      return durable;
    } finally {
      lock.unlock();
    }
  }

  /** Promises nothing any more. */
  void fail(StoreException cause) {
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
    lock.lock();
    try {
      closing = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    joinThread();
    if (thread.isAlive()) {
      throw new StoreException("The log was not synced for " + LONGEST_WAIT_MS + " ms");
    }
  }

  /** Waits even when interrupted: what comes next is to free the memory that a sync uses. */
  private void joinThread() {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_WAIT_MS);
    boolean interrupted = false;
    for (long leftNs = 1; leftNs > 0 && thread.isAlive(); ) {
      leftNs = deadlineNs - System.nanoTime();
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, leftNs);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    for (List<CompletableFuture<Void>> group = next(); !group.isEmpty(); group = next()) {
      if (failure == null) {
        syncOnce();
      }
      StoreException failed = failure;
      for (CompletableFuture<Void> durable : group) {
        if (failed == null) {
          durable.complete(null);
        } else {
          durable.completeExceptionally(
              new StoreException("It is not known whether the commit is durable", failed));
        }
      }
      if (failed == null) {
        finish();
      }
    }
  }

  private void syncOnce() {
    try {
      sync.run();
      syncs.increment();
    } catch (Throwable e) { // whatever it is, nothing was promised yet
      fail(new StoreException("The log cannot be synced", e));
    }
  }

  private void finish() {
    try {
      afterwards.run();
    } catch (Throwable e) { // what was promised is in the log; nothing more can be
      fail(new StoreException("What was committed cannot be written", e));
    }
  }

  /**
   * Those whose commits have just become durable are about to commit again. To wait for most of
   * them halves the number of syncs, each of which costs as much as dozens of commits. Where few
   * commit at a time it would only cost them time.
   */
  private void linger() {
    if (lastGroup < FEWEST_TO_LINGER_FOR) {
      return;
    }
    wanted = (lastGroup + waiting.size()) * 3 / 4;
    try {
      for (long leftNs = LONGEST_LINGER_NS; leftNs > 0 && waiting.size() < wanted && !closing; ) {
        leftNs = work.awaitNanos(leftNs);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody does; then there is no lingering
    } finally {
      wanted = 0;
    }
  }

  /** Waits for commits; empty at the end. */
  private List<CompletableFuture<Void>> next() {
    lock.lock();
    try {
      syncing = false;
      while (waiting.isEmpty() && !closing) {
        work.awaitUninterruptibly();
      }
      linger();
      List<CompletableFuture<Void>> group = waiting;
      waiting = new ArrayList<>();
      queued = 0;
      lastGroup = group.size();
      syncing = !group.isEmpty();
      room.signalAll();
      return group;
    } finally {
      lock.unlock();
    }
  }
}
