package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.region.Assignment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/** Rows that follow each other in one region, and are to be read. */
public final class PageRead extends PendingRead {
  private final Scan scan;
  private final @Nullable Consumer<UnprovenRead> unproven;
  private final CompletableFuture<Page> page = new CompletableFuture<>();

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

  /** What to ask the server of a region for. */
  Scan within(Assignment assignment) {
    byte[] end = assignment.region().getEndKey();
    return reachesBehind(end) ? copy().withStopRow(end) : scan;
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

  @Override
  void fail(Throwable cause) {
    page.completeExceptionally(cause);
  }
}
