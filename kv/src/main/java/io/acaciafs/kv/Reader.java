package io.acaciafs.kv;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads of committed rows; what a transaction guards says {@link Transaction}. Values belong to the
 * caller. All methods throw {@link StoreException} when the store cannot be read.
 */
public interface Reader {
  /** The latest committed value of a row; null: there is no such row. */
  byte @Nullable [] get(Key key);

  /** Walks a range in key order. The caller closes it. */
  Scan scan(KeyRange range);

  /**
   * The same for a caller that wants some rows only: an engine need not fetch more at a time.
   *
   * @param rows how many, at least 1; the scan goes on behind them all the same
   */
  default Scan scan(KeyRange range, int rows) {
    return scan(range);
  }

  /**
   * Walks several ranges, one behind the other; cheaper than a scan of each where an engine has
   * them beside each other. Each range may be seen at a moment of its own. The caller closes it.
   *
   * @param ranges of one table, at least one, in the order of their keys; none overlap
   */
  default Scan scan(List<KeyRange> ranges) {
    return ranges.size() == 1 ? scan(ranges.get(0)) : new ScanOfRanges(this, ranges);
  }
}
