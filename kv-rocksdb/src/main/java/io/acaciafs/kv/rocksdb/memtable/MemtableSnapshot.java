package io.acaciafs.kv.rocksdb.memtable;

import io.acaciafs.kv.KeyRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of some ranges of a table as they were in the {@link Memtable} at one moment, between
 * two commits. Holds on to their memory. Used by one thread.
 */
public final class MemtableSnapshot {
  /** A range that is in more than one chain. */
  static final long NO_CHAIN = -1;

  /** To look at so many rows takes a fraction of a millisecond. */
  private static final int MANY_LOOKS = 1 << 13;

  private final @Nullable Memtable memtable;
  private final int family;
  private final List<KeyRange> ranges;
  private final long[] heads;
  private final Memtable.Extent extent;

  /**
   * @param memtable is told of scans that look at many rows; null: nobody is
   * @param heads the newest row of each range's chain
   */
  MemtableSnapshot(
      @Nullable Memtable memtable,
      int family,
      List<KeyRange> ranges,
      long[] heads,
      Memtable.Extent extent) {
    this.memtable = memtable;
    this.family = family;
    this.ranges = ranges;
    this.heads = heads;
    this.extent = extent;
  }

  /**
   * The latest of the first rows of a range, removed ones too, in the order of their keys.
   *
   * @param range its index
   * @param after null: from the range's beginning
   * @param atMost so many of them
   */
  LatestOfRange rows(int range, @Nullable MemtableRow after, int atMost) {
    LatestOfRange rows = new LatestOfRange(family, ranges.get(range), after, atMost);
    long looks = heads[range] == NO_CHAIN ? lookAtAll(rows) : followChain(heads[range], rows);
    rows.end();
    if (looks > MANY_LOOKS && memtable != null) {
      memtable.scanWasLong();
    }
    return rows;
  }

  private long followChain(long head, LatestOfRange rows) {
    MemtableView then = extent.view();
    long floor = then.floor();
    long number = head;
    long looks = 0;
    for (int index = then.last(); number >= floor; looks++) {
      index = then.partOf(number, index);
      MemtablePart part = then.parts()[index];
      rows.look(part, number);
      number = part.beforeInChain(number);
    }
    return looks;
  }

  private long lookAtAll(LatestOfRange rows) {
    long looks = 0;
    for (MemtablePart part : extent.view().unwritten()) {
      for (long number = part.first(); number < extent.endIn(part); number++, looks++) {
        rows.look(part, number);
      }
    }
    return looks;
  }
}
