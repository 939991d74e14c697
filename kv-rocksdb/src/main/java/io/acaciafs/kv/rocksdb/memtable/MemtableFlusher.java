package io.acaciafs.kv.rocksdb.memtable;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.rocksdb.common.Failure;
import io.acaciafs.kv.rocksdb.common.ThreadEnd;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Writes what is full of the {@link Memtable} into RocksDB's files, several parts together: a row
 * that has changed since, or is gone, is written once, or not at all. One thread does so, which
 * {@link #close} ends; the other methods are for any.
 *
 * <p>What is written is durable in the log before, so that RocksDB never has a part of a commit of
 * which the rest may be lost; and so is what the rows that were left out have become, before the
 * log may forget these.
 */
public final class MemtableFlusher implements Memtable.Watcher, AutoCloseable {
  private static final String THREAD_NAME = "rocksdb-memtable-flush";
  private static final int BATCH_BYTES = 1 << 17;

  /** Full parts that are written together; so many more come before commits have to wait. */
  private static final int PARTS_TOGETHER = 3;

  /** So that it is worth while when it is asked for again and again. */
  private static final long SHORTEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

  private static final int MOST_PARTS = 3 * PARTS_TOGETHER;

  private final Memtable memtable;
  private final Runnable makeLogDurable;
  private final Target target;
  private final LongConsumer release;
  private final Consumer<StoreException> onFailure;
  private final long longestWaitMs;
  private final Thread thread;

  /** Whether to write what there is, however little. */
  private boolean requested;

  /** When that was done last. */
  private long lastRequestNs;

  private boolean closing;
  private boolean failed;

  /** What is in the memtable may not be durable, nor become so. */
  private volatile boolean termEnded;

  /** Where rows go. */
  public interface Target {
    /**
     * @param batch as {@link BatchEncoder} makes it
     */
    void write(byte[] batch);

    /** Writes into files what was written before; returns when that is done. */
    void flush(Set<Integer> families);
  }

  /**
   * @param makeLogDurable adds all that is in the memtable to the log, and syncs it; a {@link
   *     FencedOffException} is no failure, but the end of a term, of which {@link #endTerm} tells
   * @param release takes the position up to which the log's batches are in files
   * @param onFailure is told when nothing will be written any more
   * @param longestWaitMs how long RocksDB may take nothing
   */
  public MemtableFlusher(
      Memtable memtable,
      Runnable makeLogDurable,
      Target target,
      LongConsumer release,
      Consumer<StoreException> onFailure,
      long longestWaitMs) {
    this.memtable = memtable;
    this.makeLogDurable = makeLogDurable;
    this.target = target;
    this.release = release;
    this.onFailure = onFailure;
    this.longestWaitMs = longestWaitMs;
    this.thread = new Thread(this::run, THREAD_NAME);
    thread.setDaemon(true);
  }

  /** Begins with what is full already, however little. */
  public void start() {
    requested = memtable.fullParts() > 0;
    thread.start();
  }

  @Override
  public void partIsFull() {
    if (memtable.fullParts() >= PARTS_TOGETHER) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  @Override
  public void scanWasLong() {
    request();
  }

  /** Asks to write what there is, however little; not more often than is worth while. */
  public synchronized void request() {
    if (!requested && System.nanoTime() - lastRequestNs > SHORTEST_PAUSE_NS) {
      requested = true;
      notifyAll();
    }
  }

  /**
   * Waits while much more is committed than RocksDB can be given.
   *
   * @throws StoreException when that does not get on
   */
  public void awaitRoom() {
    if (memtable.fullParts() <= MOST_PARTS) {
      return;
    }
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(longestWaitMs);
    synchronized (this) {
      while (memtable.fullParts() > MOST_PARTS && !failed && !closing) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        if (leftMs <= 0) {
          throw new StoreException("RocksDB took nothing for " + longestWaitMs + " ms");
        }
        waitMs(leftMs);
      }
    }
  }

  private void waitMs(long ms) {
    try {
      wait(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while waiting for RocksDB", e);
    }
  }

  private void run() {
    try {
      while (awaitWork()) {
        write();
      }
    } catch (FencedOffException e) { // the term is over: its end takes back what is not durable
      synchronized (this) {
        closing = true;
        notifyAll(); // that end waits for commits that wait for room
      }
    } catch (Throwable e) { // what was promised is in the log; nothing more can be
      synchronized (this) {
        failed = true;
        notifyAll();
      }
      onFailure.accept(Failure.of("What was committed cannot be written", e));
    }
  }

  /** Whether there is any: false at the end. */
  private boolean awaitWork() throws InterruptedException {
    boolean all;
    synchronized (this) {
      while (!closing && !requested && memtable.fullParts() < PARTS_TOGETHER) {
        wait();
      }
      all = requested;
      requested = false;
      lastRequestNs = all ? System.nanoTime() : lastRequestNs;
    }
    if (all) {
      memtable.seal();
    }
    return !closing;
  }

  /** Writes all full parts. */
  private void write() {
    int parts = memtable.fullParts();
    makeLogDurable.run();
    if (termEnded) {
      return; // they may be taken back
    }
    Memtable.Extent extent = memtable.extent();
    Map<Integer, List<MemtableRow>> flushed = memtable.beginFlush(extent, parts);
    flushed.values().forEach(this::write);
    if (!flushed.isEmpty()) {
      target.flush(flushed.keySet());
    }
    makeLogDurable.run();
    if (termEnded) {
      return; // what rows were left out for may be taken back: these are needed then
    }
    release.accept(memtable.written(parts));
    synchronized (this) {
      notifyAll(); // there is room
    }
  }

  private void write(List<MemtableRow> rows) {
    BatchEncoder batch = new BatchEncoder();
    for (MemtableRow row : rows) {
      row.appendTo(batch);
      if (batch.sizeBytes() >= BATCH_BYTES) {
        target.write(batch.toBytes());
        batch.clear();
      }
    }
    if (!batch.isEmpty()) {
      target.write(batch.toBytes());
    }
  }

  /**
   * From now on the log can no longer be made durable by this process: what is under way counts as
   * not written, and nothing more is begun. To be called before that is so.
   */
  public synchronized void endTerm() {
    termEnded = true;
    closing = true;
    notifyAll();
  }

  /**
   * Ends the thread; what is left stays in the memtable.
   *
   * @throws StoreException when the thread is still in the target: then nothing it uses may be
   *     freed
   */
  public void stop() {
    synchronized (this) {
      closing = true;
      notifyAll();
    }
    if (!ThreadEnd.await(thread, longestWaitMs)) {
      throw new StoreException("RocksDB took nothing for " + longestWaitMs + " ms");
    }
  }

  /**
   * Ends the thread, and writes what is left.
   *
   * @throws StoreException when not all of it could be written: then the log is to stay
   */
  @Override
  public void close() {
    stop();
    if (failed) {
      throw new StoreException("What was committed could not be written");
    }
    memtable.seal();
    write();
  }
}
