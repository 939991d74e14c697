package io.acaciafs.kv.raft.compare;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.RocksDbView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member's store as it was at the mark of a comparison. Ranges are asked for one after the other,
 * so the scan of the last one goes on. Used by one thread at a time.
 *
 * @throws StoreException where its view of the store has ended
 */
final class ComparedView implements AutoCloseable {
  private final long id;
  private final RocksDbView view;
  private @Nullable OrderedRows open;

  /**
   * A range, which the one that asks did not know.
   *
   * @param range to what comes next, or without an end
   */
  record Slice(KeyRange range, RangeDigest digest) {}

  /**
   * @param id of the comparison
   */
  ComparedView(long id, RocksDbView view) {
    this.id = id;
    this.view = view;
  }

  long id() {
    return id;
  }

  Table table(String name) {
    return view.tables().stream()
        .filter(table -> table.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new StoreException("There is no table " + name));
  }

  /**
   * The next range of a table.
   *
   * @param mostRows that it has; at least one where there is one
   * @param mostBytes after which it ends
   */
  Slice next(Table table, byte[] from, int mostRows, long mostBytes) {
    OrderedRows rows = at(table, from);
    RangeDigester digester = new RangeDigester();
    byte[] last = from;
    Row row = rows.peek();
    while (row != null && digester.rows() < mostRows && digester.bytes() < mostBytes) {
      digester.add(row);
      last = row.key().bytes();
      rows.pass();
      row = rows.peek();
    }
    byte[] to = row == null ? null : Arrays.copyOf(last, last.length + 1);
    passed(rows, to);
    return new Slice(new KeyRange(table, from, to), digester.end());
  }

  RangeDigest digest(KeyRange range) {
    OrderedRows rows = at(range.table(), range.from());
    RangeDigester digester = new RangeDigester();
    for (Row row = rows.peekBefore(range.to()); row != null; row = rows.peekBefore(range.to())) {
      digester.add(row);
      rows.pass();
    }
    passed(rows, range.to());
    return digester.end();
  }

  /** The first rows of a range. */
  List<RowHash> list(KeyRange range, int atMost) {
    List<RowHash> list = new ArrayList<>();
    try (OrderedRows rows = new OrderedRows(view, range.table(), range.from())) {
      Row row = rows.peekBefore(range.to());
      while (row != null && list.size() < atMost) {
        list.add(RowHash.of(row));
        rows.pass();
        row = rows.peekBefore(range.to());
      }
    }
    return list;
  }

  private OrderedRows at(Table table, byte[] from) {
    OrderedRows known = open;
    if (known != null && known.isAt(table, from)) {
      return known;
    }
    closeScan();
    OrderedRows begun = new OrderedRows(view, table, from);
    open = begun;
    return begun;
  }

  private void passed(OrderedRows rows, byte @Nullable [] to) {
    if (to == null) {
      closeScan();
    } else {
      rows.isNowAt(to);
    }
  }

  private void closeScan() {
    if (open != null) {
      open.close();
      open = null;
    }
  }

  @Override
  public void close() {
    closeScan();
    view.close();
  }
}
