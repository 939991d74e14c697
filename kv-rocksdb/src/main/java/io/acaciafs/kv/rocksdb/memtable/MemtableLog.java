package io.acaciafs.kv.rocksdb.memtable;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Adds to the log what the {@link Memtable} has and the log has not: all commits that have come
 * together as one record. Safe for use by many threads.
 *
 * <p>Of a replicated log it also keeps in mind where in the memtable each batch ends that is not
 * durable yet. While another process leads, the memtable's rows come from the log, and nothing is
 * added to it.
 */
public final class MemtableLog {
  private final Memtable memtable;
  private final CommitLog log;
  private final BatchEncoder batch = new BatchEncoder();

  /** Batches that are not known to be durable, oldest first. Of a replicated log. */
  private final Deque<Added> added = new ArrayDeque<>();

  /** The number of the first row that is not in the log. */
  private long next;

  private boolean adds;

  /** A batch, and the number behind its last row. */
  private record Added(long position, long end) {}

  /**
   * @param memtable all its rows are in the log already
   */
  public MemtableLog(Memtable memtable, CommitLog log) {
    this.memtable = memtable;
    this.log = log;
    this.adds = !log.isReplicated();
    this.next = memtable.extent().end();
  }

  /** From now on this process adds to the log; all rows of the memtable are durable. */
  public synchronized void begin() {
    memtable.allDurable();
    next = memtable.extent().end();
    adds = true;
  }

  /** Whether this process adds to the log. */
  public synchronized boolean adds() {
    return adds;
  }

  /** From now on it does not. */
  public synchronized void end() {
    adds = false;
    added.clear();
  }

  /**
   * Adds all commits that were shown before; the next {@link CommitLog#sync} makes them durable.
   *
   * @throws StoreException when it is not known what is in the log
   */
  public synchronized void addAll() {
    if (!adds) {
      return;
    }
    try {
      Memtable.Extent extent = memtable.extent();
      for (MemtablePart part : extent.view().unwritten()) {
        long end = extent.endIn(part);
        if (end > next) {
          batch.clear();
          part.appendTo(batch, Math.max(next, part.first()), end);
          add(part, end);
          next = end;
        }
      }
    } catch (Throwable e) {
      memtable.fail(e);
      throw e;
    }
  }

  private void add(MemtablePart part, long end) {
    long position = log.append(batch.toBuffer());
    part.logged(position);
    if (log.isReplicated()) {
      added.add(new Added(position, end));
    }
  }

  /** Batches up to a position are durable. Of a replicated log. */
  public synchronized void durable(long position) {
    while (!added.isEmpty() && added.getFirst().position() <= position) {
      memtable.durableBefore(added.removeFirst().end());
    }
  }

  /** The same as {@link #addAll}, and then as {@link CommitLog#roll}. */
  public synchronized long roll() {
    addAll();
    try {
      return log.roll();
    } catch (Throwable e) {
      memtable.fail(e);
      throw e;
    }
  }
}
