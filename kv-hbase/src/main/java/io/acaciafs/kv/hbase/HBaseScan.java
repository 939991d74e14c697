package io.acaciafs.kv.hbase;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.hadoop.hbase.client.Result;

/** Reads page by page, each a request of its own. */
final class HBaseScan implements Scan {
  private static final int FIRST_PAGE = 128;
  private static final int LARGEST_PAGE = 1_024;
  private static final long PAGE_BYTES = 1 << 20;

  private final HBaseStore store;
  private final KeyRange range;
  private final byte[] end;
  private final Deque<Row> page = new ArrayDeque<>();
  private byte[] next;
  private final int largestPage;
  private int pageSize;
  private boolean isClosed;

  HBaseScan(HBaseStore store, KeyRange range) {
    this(store, range, FIRST_PAGE, LARGEST_PAGE);
  }

  /** One whose pages never have more rows. */
  HBaseScan(HBaseStore store, KeyRange range, int rows) {
    this(store, range, Math.min(rows, LARGEST_PAGE), Math.min(rows, LARGEST_PAGE));
  }

  private HBaseScan(HBaseStore store, KeyRange range, int firstPage, int largestPage) {
    this.store = store;
    this.pageSize = firstPage;
    this.largestPage = largestPage;
    this.range = range;
    this.next = RowKeys.first(range);
    this.end = RowKeys.end(range);
    if (Arrays.compareUnsigned(next, end) >= 0) {
      next = null;
    }
  }

  @Override
  public boolean hasNext() {
    if (isClosed) {
      throw new StoreException("The scan is closed");
    }
    store.checkOpen();
    while (page.isEmpty() && next != null) {
      readPage();
    }
    return !page.isEmpty();
  }

  @Override
  public Row next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return page.remove();
  }

  private void readPage() {
    List<Result> results =
        store.page(
            new org.apache.hadoop.hbase.client.Scan()
                .withStartRow(next)
                .withStopRow(end)
                .addFamily(Columns.DATA)
                .setMaxResultSize(PAGE_BYTES)
                .setLimit(pageSize));
    for (Result result : results) {
      RowState state = RowState.of(result);
      if (!state.isSettled()) {
        state = store.readSettled(result.getRow());
      }
      if (state.exists()) {
        page.add(new Row(RowKeys.toKey(range.table(), result.getRow()), state.value()));
      }
    }
    if (results.size() < pageSize) {
      next = null;
    } else {
      byte[] last = results.get(results.size() - 1).getRow();
      next = Arrays.copyOf(last, last.length + 1);
    }
    pageSize = Math.min(2 * pageSize, largestPage);
  }

  @Override
  public void close() {
    isClosed = true;
    page.clear();
  }
}
