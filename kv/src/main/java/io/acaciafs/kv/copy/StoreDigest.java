package io.acaciafs.kv.copy;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Set;
import java.util.function.LongConsumer;

/** Reads rows of a store for their checksum. Stateless. */
public final class StoreDigest {
  private static final int ROWS_BETWEEN_REPORTS = 1 << 16;

  private StoreDigest() {}

  /**
   * Of all rows, read by threads {@code digest-N}.
   *
   * @param progress is told of rows that were read, now and then; by several threads
   * @throws IOException when the store fails
   */
  public static RowDigest of(Store store, Set<Table> tables, int threads, LongConsumer progress)
      throws IOException {
    return TableJobs.run(
        store, tables, threads, "digest", table -> of(store, KeyRange.ofTable(table), progress));
  }

  /** Of the rows of a range. */
  static RowDigest of(Reader store, KeyRange range, LongConsumer progress) throws IOException {
    RowDigest.Sum sum = new RowDigest.Sum(range.table());
    try (Scan scan = store.scan(range)) {
      while (scan.hasNext()) {
        int[] rows = {0};
        scan.forEachRow(
            row -> {
              sum.add(row);
              return ++rows[0] < ROWS_BETWEEN_REPORTS;
            });
        progress.accept(rows[0]);
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("interrupted");
        }
      }
    }
    return sum.end();
  }
}
