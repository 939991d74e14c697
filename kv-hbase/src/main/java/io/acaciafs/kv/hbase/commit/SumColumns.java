package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.Key;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * To which columns of a row what is added to its sums goes; a sum is what all its columns hold.
 *
 * <p>HBase keeps every version of a cell in memory until it writes its memory to a file. An
 * increment reads its column first, and where a family has the new version behaviour it walks over
 * all versions there, as HBase looks for the column that it has just read instead of the next. So
 * what is added to a row that this process changes often is spread over many columns, and each has
 * that much fewer; a row that is changed seldom has one. Safe for use by many threads, waits for
 * nothing.
 */
public final class SumColumns {
  static final int MOST = 64;

  /** So many changes of a row by this process go to its first column. */
  static final int FEW_CHANGES = 64;

  /** A row that shares a place with one that changes often only has more columns. */
  private static final int PLACES = 1 << 14;

  private final AtomicIntegerArray changes = new AtomicIntegerArray(PLACES);

  /**
   * @return 0 to {@link #MOST} - 1
   */
  int next(Key row) {
    int changed = changes.getAndIncrement((row.hashCode() * 0x9E3779B9 >>> 1) % PLACES);
    return changed >= 0 && changed < FEW_CHANGES ? 0 : changed & (MOST - 1);
  }
}
