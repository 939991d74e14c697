package io.acaciafs.kv.hbase.transaction;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.hbase.read.PageRead;
import io.acaciafs.kv.hbase.read.UnprovenRead;
import io.acaciafs.kv.hbase.schema.Columns;
import io.acaciafs.kv.hbase.schema.RowKeys;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Reads page by page, each a request of its own; where rows are scattered, a page of each shard at
 * the same time, and merges them; where they are spread, one shard after the other.
 */
final class HBaseScan implements Scan {
  private static final int FIRST_PAGE = 128;
  private static final int LARGEST_PAGE = 1_024;
  private static final long PAGE_BYTES = 1 << 20;

  private final ScanPages source;

  /** Told of what is to be proven by the caller; null where nothing is. */
  private final @Nullable Consumer<UnprovenRead> unproven;

  private final KeyRange range;
  private final int largestPage;
  private final boolean isMerge;
  private final List<Pages> runs = new ArrayList<>();

  /** The run with the row that is next; null if it is not known yet, or there is none. */
  private @Nullable Pages smallest;

  private boolean isClosed;

  /** How many pages have come. */
  private int pages;

  /** Whether a transaction had locked a row. */
  private boolean isTorn;

  /** The rows of one run. */
  private final class Pages {
    private final Deque<Row> page = new ArrayDeque<>();
    private final byte[] end;
    private byte @Nullable [] next;
    private int pageSize;

    /** Null if no request for the next page is under way. */
    private @Nullable CompletableFuture<PageRead.Page> requested;

    Pages(RowKeys.Run run, int pageSize) {
      this.end = run.end();
      this.next = Arrays.compareUnsigned(run.first(), end) < 0 ? run.first() : null;
      this.pageSize = pageSize;
    }

    boolean isWanting() {
      return page.isEmpty() && next != null;
    }

    CompletableFuture<PageRead.Page> request() {
      if (requested == null) {
        requested =
            source.page(
                new org.apache.hadoop.hbase.client.Scan()
                    .withStartRow(next)
                    .withStopRow(end)
                    .addFamily(Columns.DATA)
                    .setMaxResultSize(PAGE_BYTES)
                    .setLimit(pageSize),
                unproven);
      }
      return requested;
    }

    /** Null: the row does not exist. */
    private byte @Nullable [] valueOf(Result result) {
      byte[] plain = RowState.plainValue(result);
      if (plain != null) {
        return plain;
      }
      RowState state = RowState.of(result);
      if (!state.isSettled()) {
        isTorn = true;
        state = source.readSettled(result.getRow());
      }
      return state.value();
    }

    void take(PageRead.Page found) {
      requested = null;
      pages++;
      for (Result result : found.rows()) {
        byte[] value = valueOf(result);
        if (value != null) {
          Cell cell = result.rawCells()[0];
          page.add(
              new Row(
                  RowKeys.toKey(
                      range.table(), cell.getRowArray(), cell.getRowOffset(), cell.getRowLength()),
                  value));
        }
      }
      next = found.next();
      if (next != null && pageSize == LARGEST_PAGE && unproven == null) {
        request(); // a long scan: HBase reads the next page while this one is looked at
      }
      pageSize = Math.min(2 * pageSize, largestPage);
    }
  }

  HBaseScan(ScanPages source, KeyRange range) {
    this(source, range, FIRST_PAGE, LARGEST_PAGE, null);
  }

  /** One of a transaction, which proves at its end what has to be. */
  HBaseScan(ScanPages source, KeyRange range, Consumer<UnprovenRead> unproven) {
    this(source, range, FIRST_PAGE, LARGEST_PAGE, unproven);
  }

  /** One whose pages never have more rows. */
  HBaseScan(ScanPages source, KeyRange range, int rows) {
    this(source, range, Math.min(rows, LARGEST_PAGE), Math.min(rows, LARGEST_PAGE), null);
  }

  private HBaseScan(
      ScanPages source,
      KeyRange range,
      int firstPage,
      int largestPage,
      @Nullable Consumer<UnprovenRead> unproven) {
    this.source = source;
    this.unproven = unproven;
    this.largestPage = largestPage;
    this.range = range;
    this.isMerge = range.table().isScattered();
    List<RowKeys.Run> all = RowKeys.runs(range);
    int ownPage = isMerge ? Math.max(1, firstPage / all.size()) : firstPage;
    all.forEach(run -> runs.add(new Pages(run, ownPage)));
  }

  @Override
  public boolean hasNext() {
    return withNext() != null;
  }

  /** The pages whose first row is the next one; null at the end. */
  private @Nullable Pages withNext() {
    if (isClosed) {
      throw new StoreException("The scan is closed");
    }
    source.checkOpen().run();
    if (smallest == null) {
      smallest = findSmallest();
    }
    return smallest;
  }

  @Override
  public Row next() {
    Pages next = withNext();
    if (next == null) {
      throw new NoSuchElementException();
    }
    Row row = next.page.remove();
    if (runs.size() > 1 || next.page.isEmpty()) {
      smallest = null;
    }
    return row;
  }

  @Override
  public void readAhead() {
    source.checkOpen().run();
    if (smallest == null) {
      wanting().forEach(Pages::request);
    }
  }

  /** A request shows the rows of a region as they are when it comes there. */
  @Override
  public boolean isOfOneMoment() {
    return pages <= 1 && !isTorn;
  }

  private @Nullable Pages findSmallest() {
    fill();
    Pages found = null;
    for (Pages run : runs) {
      if (!run.page.isEmpty() && (found == null || isBefore(run, found))) {
        found = run;
      }
    }
    return found;
  }

  private static boolean isBefore(Pages run, Pages other) {
    return Arrays.compareUnsigned(run.page.peek().key().bytes(), other.page.peek().key().bytes())
        < 0;
  }

  /** The next row of runs that are merged is known once the first row of each is. */
  private void fill() {
    for (List<Pages> wanting = wanting(); !wanting.isEmpty(); wanting = wanting()) {
      List<CompletableFuture<PageRead.Page>> requested =
          wanting.stream().map(Pages::request).toList();
      source.noteAlongside(requested.size() - 1);
      for (int i = 0; i < requested.size(); i++) {
        wanting.get(i).take(source.await(requested.get(i)));
      }
    }
  }

  private List<Pages> wanting() {
    List<Pages> wanting = new ArrayList<>(0);
    for (Pages run : runs) {
      if (run.isWanting()) {
        wanting.add(run);
      }
      if (!isMerge && !(run.page.isEmpty() && run.next == null)) {
        break; // the others lie behind it
      }
    }
    return wanting;
  }

  @Override
  public void close() {
    isClosed = true;
    runs.forEach(run -> run.page.clear());
  }
}
