package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Commits on their way into the log and into RocksDB. Who commits adds his rows here, which shows
 * them to readers at once, and goes on; {@link #log} appends all that came together to the log, and
 * {@link #write} writes it into RocksDB, which nobody has to wait for. So RocksDB is entered once
 * for many commits, and a row that several of them write is written once.
 *
 * <p>Safe for use by many threads. Commits of one row are added by who holds its lock, one after
 * the other. Reads of rows look here first and then in RocksDB; whoever scans calls {@link
 * #drainAll} before.
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
  private final Deque<Logged> logged = new ArrayDeque<>();
  private volatile long written;
  private volatile boolean failed;

  WriteQueue(Database database, PartitionVersions partitions) {
    this.database = database;
    this.partitions = partitions;
  }

  /** Shows the rows of a commit, in their order; they are part of what is logged next. */
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
   * Adds to the log and writes into RocksDB, and waits for those who are just adding: whatever a
   * reader may have found here is in RocksDB then.
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
      checkHealth();
      logShown();
      writeLogged();
      return true;
    } finally {
      writing.unlock();
    }
  }

  /**
   * Adds all commits to the log that were shown before; they are durable after the next sync.
   *
   * @throws StoreException when it is not known what is in the log
   */
  void log() {
    writing.lock();
    try {
      checkHealth();
      logShown();
    } finally {
      writing.unlock();
    }
  }

  /**
   * Writes into RocksDB what is in the log.
   *
   * @throws StoreException when it is not known what was written
   */
  void write() {
    writing.lock();
    try {
      checkHealth();
      writeLogged();
    } finally {
      writing.unlock();
    }
  }

  /** Who comes later must not take it that what came before was written. */
  private void checkHealth() {
    if (failed) {
      throw new StoreException("The store writes no more since it failed");
    }
  }

  /** The lock is held. */
  private void logShown() {
    QueuedCommit oldest = reversed(newest.getAndSet(null));
    while (oldest != null) {
      oldest = log(oldest);
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
   * Adds a batch to the log.
   *
   * @param oldest the first of a list of commits, linked in the order in which they came
   * @return the first that is left for another batch; null when all are in the log
   */
  private QueuedCommit log(QueuedCommit oldest) {
    QueuedCommit end = oldest;
    boolean succeeded = false;
    try {
      for (int bytes = 0; end != null && bytes < LARGE_BATCH_BYTES; end = end.linked()) {
        for (QueuedCommit.Row row : end.rows()) {
          batch.append(row.family(), row.key().bytes(), row.value());
        }
        bytes += end.sizeBytes();
      }
      logged.add(new Logged(oldest, end, database.log(batch.toBuffer())));
      succeeded = true;
    } finally {
      failed |= !succeeded;
      batch.clear();
    }
    return end;
  }

  /** Writes everything that is in the log into RocksDB. The lock is held. */
  private void writeLogged() {
    for (Logged group = logged.poll(); group != null; group = logged.poll()) {
      write(group);
      group.forEach(this::hide);
    }
  }

  private void write(Logged group) {
    boolean succeeded = false;
    try {
      group.forEach(commit -> order.addAll(commit.rows()));
      order.appendTo(batch);
      group.segment().became(database.write(batch.toBytes()));
      succeeded = true;
    } finally {
      failed |= !succeeded;
      order.clear();
      batch.clear();
    }
  }

  /** It is found in RocksDB now. */
  private void hide(QueuedCommit commit) {
    for (QueuedCommit.Row row : commit.rows()) {
      rows.remove(row.key(), row);
    }
    partitions.written(commit.partitions());
    written++;
  }

  /**
   * Commits that are in the log, and not in RocksDB.
   *
   * @param end the first that does not belong to them; null when none follows
   * @param segment of the log, where they are
   */
  private record Logged(QueuedCommit oldest, QueuedCommit end, LogSegment segment) {
    void forEach(Consumer<QueuedCommit> action) {
      for (QueuedCommit commit = oldest; commit != end; commit = commit.linked()) {
        action.accept(commit);
      }
    }
  }
}
