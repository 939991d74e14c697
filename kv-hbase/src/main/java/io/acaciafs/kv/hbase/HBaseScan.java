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
  private int pageSize = FIRST_PAGE;
  private boolean isClosed;

  HBaseScan(HBaseStore store, KeyRange range) {
    this.store = store;
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
    pageSize = Math.min(2 * pageSize, LARGEST_PAGE);
  }

  @Override
  public void close() {
    isClosed = true;
    page.clear();
  }
}
