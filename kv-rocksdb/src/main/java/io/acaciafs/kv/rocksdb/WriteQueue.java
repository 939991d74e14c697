package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Commits on their way into RocksDB. Who commits adds his rows here, which shows them to readers at
 * once, and goes on; {@link #drain} writes all that came together as one batch. So RocksDB is
 * entered once for many commits, and a row that several of them write is written once.
 *
 * <p>Safe for use by many threads. Commits of one row are added by who holds its lock, one after
 * the other. Reads of rows look here first and then in RocksDB; whoever scans drains before.
 */
final class WriteQueue {
  /** A batch is ended by the commit that makes it so large. */
  private static final int LARGE_BATCH_BYTES = 1 << 20;

  private static final long LONGEST_WAIT_NS = TimeUnit.SECONDS.toNanos(30);

  private final Database database;
  private final PartitionVersions partitions;
  private final ConcurrentMap<Key, QueuedCommit.Row> rows = new ConcurrentHashMap<>();
  private final AtomicReference<QueuedCommit> newest = new AtomicReference<>();
  private final AtomicLong added = new AtomicLong();

  private final ReentrantLock writing = new ReentrantLock();
  private final BatchOrder order = new BatchOrder();
  private final BatchEncoder batch = new BatchEncoder();
  private volatile long written;
  private volatile boolean failed;

  WriteQueue(Database database, PartitionVersions partitions) {
    this.database = database;
    this.partitions = partitions;
  }

  /** Shows the rows of a commit, in their order; they are part of what the next drain writes. */
  void add(QueuedCommit commit) {
    partitions.queued(commit.partitions());
    added.incrementAndGet();
    for (QueuedCommit.Row row : commit.rows()) {
      rows.put(row.key(), row);
    }
    QueuedCommit before;
    do {
      before = newest.get();
      commit.link(before);
    } while (!newest.compareAndSet(before, commit));
  }

  /** What a commit that waits makes of a row; null when none does. */
  QueuedCommit.Row find(Key key) {
    return added.get() == written ? null : rows.get(key);
  }

  /** Whether rows are shown that will never be written. */
  boolean hasFailed() {
    return failed;
  }

  /** Lets nothing be written any more: a commit is shown in part, or its end is not known. */
  void fail() {
    failed = true;
  }

  /**
   * As {@link #drain}, and waits for those who are just adding: whatever a reader may have found
   * here is in RocksDB then.
   *
   * @throws StoreException when that takes too long, or will never be
   */
  void drainAll() {
    long shown = added.get();
    long deadlineNs = System.nanoTime() + LONGEST_WAIT_NS;
    while (written < shown || failed) {
      if (!drainBefore(deadlineNs)) {
        throw new StoreException("A commit was not written in time");
      }
      Thread.onSpinWait();
    }
  }

  private boolean drainBefore(long deadlineNs) {
    try {
      if (!writing.tryLock(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while waiting for a commit to be written", e);
    }
    try {
      writeAll();
      return true;
    } finally {
      writing.unlock();
    }
  }

  /**
   * Writes all commits that were added before, by this thread or another; they are durable after
   * the next sync.
   *
   * @throws StoreException when it is not known what was written
   */
  void drain() {
    if (added.get() == written) {
      return;
    }
    writing.lock();
    try {
      writeAll();
    } finally {
      writing.unlock();
    }
  }

  /** The lock is held. */
  private void writeAll() {
    if (failed) { // who comes later must not take it that what came before was written
      throw new StoreException("The store writes no more since it failed");
    }
    QueuedCommit oldest = reversed(newest.getAndSet(null));
    while (oldest != null) {
      oldest = write(oldest);
    }
  }

  private static QueuedCommit reversed(QueuedCommit last) {
    QueuedCommit next = null;
    for (QueuedCommit commit = last; commit != null; ) {
      QueuedCommit before = commit.linked();
      commit.link(next);
      next = commit;
      commit = before;
    }
    return next;
  }

  /**
   * @param oldest the first of a list of commits, linked in the order in which they came
   * @return the first that is left for another batch; null when all are written
   */
  private QueuedCommit write(QueuedCommit oldest) {
    QueuedCommit end = oldest;
    int commits = 0;
    boolean succeeded = false;
    try {
      for (int bytes = 0; end != null && bytes < LARGE_BATCH_BYTES; end = end.linked()) {
        order.addAll(end.rows());
        bytes += end.sizeBytes();
        commits++;
      }
      order.appendTo(batch);
      database.write(batch.toBytes());
      succeeded = true;
    } finally {
      failed |= !succeeded;
      order.clear();
      batch.clear();
    }
    for (QueuedCommit commit = oldest; commit != end; commit = commit.linked()) {
      for (QueuedCommit.Row row : commit.rows()) {
        rows.remove(row.key(), row);
      }
      partitions.written(commit.partitions());
    }
    written += commits;
    return end;
  }
}
