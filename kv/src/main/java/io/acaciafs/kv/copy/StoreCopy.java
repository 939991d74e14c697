package io.acaciafs.kv.copy;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.RowView;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Copies all rows of a store, which nobody else uses, into another one by its bulk loader. It goes
 * on where an earlier copy was cut off: of each table rows are copied in the order of their keys,
 * and after each part, which is durable then, a mark is left. A part that was cut off before its
 * mark is copied again; its rows are the same.
 *
 * <p>For one thread; tables are copied by threads {@code copy-N}.
 */
public final class StoreCopy {
  /** A file of an engine has some ten to a hundred megabytes then. */
  private static final int ROWS_IN_RUN = 1_000_000;

  private final Store source;
  private final Set<Table> tables;
  private final int threads;
  private final int rowsInRun;
  private final int rowsInPart;

  /**
   * @param tables none of which is {@linkplain Table#isPassing passing}
   * @param rowsInPart so many rows of a table are copied again after a kill, at most
   */
  public StoreCopy(Store source, Set<Table> tables, int threads, int rowsInPart) {
    this(source, tables, threads, Math.min(rowsInPart, ROWS_IN_RUN), rowsInPart);
  }

  StoreCopy(Store source, Set<Table> tables, int threads, int rowsInRun, int rowsInPart) {
    this.source = source;
    this.tables = Set.copyOf(tables);
    this.threads = threads;
    this.rowsInRun = rowsInRun;
    this.rowsInPart = rowsInPart;
  }

  /**
   * Copies what is left.
   *
   * @param progress is told of rows that were copied, now and then; by several threads
   * @return of all rows of the source, as they were read: those that an earlier copy has brought
   *     are read once more
   * @throws IOException when a store fails, or the marks cannot be written
   */
  public RowDigest run(BulkLoader loader, CopyMarks marks, LongConsumer progress)
      throws IOException {
    return TableJobs.run(
        source,
        tables,
        threads,
        "copy",
        table -> {
          KeyRange all = KeyRange.ofTable(table);
          byte[] reached = marks.reached(table);
          if (reached == null) {
            return new TableCopy(all, loader, marks, progress).run();
          }
          KeyRange left = all.startingAfter(reached);
          return StoreDigest.of(source, new KeyRange(table, all.from(), left.from()), progress)
              .plus(new TableCopy(left, loader, marks, progress).run());
        });
  }

  /** What is left of one table. Used by one thread. */
  private final class TableCopy {
    private final KeyRange range;
    private final BulkLoader loader;
    private final CopyMarks marks;
    private final LongConsumer progress;
    private final RowDigest.Sum digest;
    private int rowsOfRun;
    private byte[] last = {};

    TableCopy(KeyRange range, BulkLoader loader, CopyMarks marks, LongConsumer progress) {
      this.range = range;
      this.loader = loader;
      this.marks = marks;
      this.progress = progress;
      this.digest = new RowDigest.Sum(range.table());
    }

    RowDigest run() throws IOException {
      try (Scan scan = source.scan(range)) {
        int rowsOfPart = 0;
        while (scan.hasNext()) {
          int rows = copyRun(scan);
          rowsOfPart += rows;
          progress.accept(rows);
          if (rowsOfPart >= rowsInPart || !scan.hasNext()) {
            loader.finish(range.table());
            marks.reach(range.table(), last);
            rowsOfPart = 0;
          }
          if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted");
          }
        }
      }
      return digest.end();
    }

    private int copyRun(Scan scan) {
      rowsOfRun = 0;
      try (BulkLoader.Run run = loader.begin(range.table())) {
        scan.forEachRow(row -> copy(row, run));
      }
      return rowsOfRun;
    }

    private boolean copy(RowView row, BulkLoader.Run run) {
      digest.add(row);
      last = row.keyFrom(0);
      run.add(new Key(range.table(), last), row.value());
      return ++rowsOfRun < rowsInRun;
    }
  }
}
