package io.acaciafs.kv.rocksdb.memtable;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a range that the memtable has, one after the other; each time more of them are looked
 * for, since most scans are short. Used by one thread.
 */
public final class MemtableCursor {
  private static final int FIRST_ROWS = 256;
  private static final int GROWTH = 8;
  private static final int MOST_ROWS = 1 << 20;

  private final @Nullable MemtableSnapshot snapshot;
  private final int range;
  private List<MemtableRow> rows = List.of();
  private int next;
  private int wanted = FIRST_ROWS;
  private boolean isEnd;

  /**
   * @param snapshot null where there are none
   * @param range its index
   */
  public MemtableCursor(@Nullable MemtableSnapshot snapshot, int range) {
    this.snapshot = snapshot;
    this.range = range;
    this.isEnd = snapshot == null;
  }

  public boolean hasNext() {
    if (next == rows.size() && !isEnd && snapshot != null) {
      MemtableRow last = rows.isEmpty() ? null : rows.get(rows.size() - 1);
      LatestOfRange more = snapshot.rows(range, last, wanted);
      rows = more.list();
      isEnd = more.isEnd();
      next = 0;
      wanted = Math.min(GROWTH * wanted, MOST_ROWS);
    }
    return next < rows.size();
  }

  /** There is one. */
  public MemtableRow next() {
    return rows.get(next++);
  }

  /** The order of the next row and of a key; behind every key where there is none. */
  public int compareNext(byte[] key, int from, int to) {
    return hasNext() ? rows.get(next).compareKey(key, from, to) : 1;
  }
}
