package io.acaciafs.kv.rocksdb.memtable;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.rocksdb.log.CommitLog;

/**
 * Adds to the log what the {@link Memtable} has and the log has not: all commits that have come
 * together as one record. Safe for use by many threads.
 */
public final class MemtableLog {
  private final Memtable memtable;
  private final CommitLog log;
  private final BatchEncoder batch = new BatchEncoder();

  /** The number of the first row that is not in the log. */
  private long next;

  /**
   * @param memtable all its rows are in the log already
   */
  public MemtableLog(Memtable memtable, CommitLog log) {
    this.memtable = memtable;
    this.log = log;
    this.next = memtable.extent().end();
  }

  /**
   * Adds all commits that were shown before; the next {@link CommitLog#sync} makes them durable.
   *
   * @throws StoreException when it is not known what is in the log
   */
  public synchronized void addAll() {
    try {
      Memtable.Extent extent = memtable.extent();
      for (MemtablePart part : extent.view().unwritten()) {
        long end = extent.endIn(part);
        if (end > next) {
          batch.clear();
          part.appendTo(batch, Math.max(next, part.first()), end);
          part.logged(log.append(batch.toBuffer()));
          next = end;
        }
      }
    } catch (Throwable e) {
      memtable.fail(e);
      throw e;
    }
  }

  /** The same, and then as {@link CommitLog#roll}. */
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
