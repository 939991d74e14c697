package io.acaciafs.kv.hbase.read;

import io.acaciafs.hbase.protocol.Family;
import io.acaciafs.hbase.protocol.PageRequest;
import io.acaciafs.hbase.protocol.StoredCell;
import io.acaciafs.hbase.protocol.StoredPage;
import io.acaciafs.hbase.protocol.StoredRow;
import io.acaciafs.kv.hbase.region.Assignment;
import io.acaciafs.kv.hbase.schema.Columns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/** Rows that follow each other in one region, and are to be read. */
public final class PageRead extends PendingRead {
  private final Scan scan;
  private final @Nullable Consumer<UnprovenRead> unproven;
  private final CompletableFuture<Page> page = new CompletableFuture<>();

  /** Whether a coprocessor has turned out not to know pages. */
  private boolean isStock;

  /**
   * What there is of them.
   *
   * @param next where to go on; null where nothing is behind
   */
  @SuppressWarnings("ArrayRecordComponent") // a row
  public record Page(List<Result> rows, byte @Nullable [] next) {}

  /**
   * @param scan from its first row to its last, as far as its limit and its region reach
   * @param unproven proves what is read; null where it is to be proven before it is told
   */
  PageRead(Scan scan, boolean isOwn, @Nullable Consumer<UnprovenRead> unproven, long patienceMs) {
    super(scan.getStartRow(), isOwn, patienceMs);
    this.scan = scan;
    this.unproven = unproven;
  }

  @Nullable Consumer<UnprovenRead> unproven() {
    return unproven;
  }

  CompletableFuture<Page> page() {
    return page;
  }

  /** Whether the coprocessor can read it, together with others. */
  boolean isForCoprocessor() {
    return !isStock
        && scan.getLimit() > 0
        && scan.getFamilyMap().size() == 1
        && scan.getFamilyMap().containsKey(Columns.DATA);
  }

  void useStock() {
    isStock = true;
  }

  /** What to ask the server of a region for. */
  Scan within(Assignment assignment) {
    byte[] end = assignment.region().getEndKey();
    return reachesBehind(end) ? copy().withStopRow(end) : scan;
  }

  /** The same in a message to the coprocessor. */
  PageRequest requestWithin(Assignment assignment) {
    byte[] end = assignment.region().getEndKey();
    return new PageRequest(
        scan.getStartRow(), reachesBehind(end) ? end : scan.getStopRow(), scan.getLimit());
  }

  private Scan copy() {
    try {
      return new Scan(scan);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e); // of a clone in memory
    }
  }

  private boolean reachesBehind(byte[] end) {
    return end.length > 0
        && (scan.getStopRow().length == 0 || Arrays.compareUnsigned(scan.getStopRow(), end) > 0);
  }

  /** The rows are here, and are to be believed. */
  void take(Assignment by, List<Result> rows, boolean hasMore) {
    byte[] end = by.region().getEndKey();
    byte[] next = null;
    if (hasMore || rows.size() >= scan.getLimit()) {
      byte[] last = rows.isEmpty() ? row() : rows.get(rows.size() - 1).getRow();
      next = rows.isEmpty() ? last : Arrays.copyOf(last, last.length + 1);
    } else if (reachesBehind(end)) {
      next = end;
    }
    page.complete(new Page(rows, next));
  }

  /** The rows of an answer of the coprocessor, as HBase's scanner would give them. */
  static List<Result> rowsOf(StoredPage page) {
    List<Result> rows = new ArrayList<>();
    page.forEach((key, row) -> rows.add(result(key, row)));
    return rows;
  }

  private static Result result(byte[] key, StoredRow row) {
    Cell[] cells = new Cell[row.cells().size()];
    for (int i = 0; i < cells.length; i++) {
      StoredCell cell = row.cells().get(i);
      cells[i] =
          new KeyValue(key, Family.DATA.bytes(), cell.qualifier(), cell.timestamp(), cell.value());
    }
    return Result.create(cells);
  }

  @Override
  boolean isDone() {
    return page.isDone();
  }

  @Override
  void fail(Throwable cause) {
    page.completeExceptionally(cause);
  }
}
