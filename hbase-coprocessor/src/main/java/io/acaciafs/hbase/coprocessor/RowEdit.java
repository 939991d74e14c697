package io.acaciafs.hbase.coprocessor;

import io.acaciafs.hbase.protocol.Change;
import io.acaciafs.hbase.protocol.Condition;
import io.acaciafs.hbase.protocol.CounterCell;
import io.acaciafs.hbase.protocol.Family;
import io.acaciafs.hbase.protocol.StoredCell;
import io.acaciafs.hbase.protocol.StoredRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.jspecify.annotations.Nullable;

/**
 * One family of a row while the transactions of a call are judged: as it is stored, and as it is
 * after those that were judged so far. In the end each cell is written once, as it is then; HBase
 * would lose a cell that is deleted and put in one batch. For one thread, which holds the row's
 * lock.
 */
final class RowEdit {
  /** The cell of a row of counters that does not exist yet; its kind is that of a base. */
  private static final byte[] NO_COUNTERS = {1, 1, 0, 0};

  private final byte[] row;
  private final Family family;
  private final List<Column> columns;

  /** A column: its cell in the store and now; null where there is none. */
  private static final class Column {
    private final byte[] qualifier;
    private final @Nullable StoredCell stored;
    private @Nullable StoredCell now;

    Column(byte[] qualifier, @Nullable StoredCell stored) {
      this.qualifier = qualifier;
      this.stored = stored;
      this.now = stored;
    }
  }

  RowEdit(byte[] row, Family family, StoredRow stored) {
    this.row = row;
    this.family = family;
    this.columns = new ArrayList<>(stored.cells().size() + 2);
    stored.cells().forEach(cell -> columns.add(new Column(cell.qualifier(), cell)));
  }

  boolean holds(Condition condition) {
    Column column = find(condition.qualifier());
    return column == null || column.now == null
        ? condition.holdsWithoutCell()
        : condition.holds(column.now.value(), column.now.timestamp());
  }

  /**
   * Whether a change can be written together with those before it. A cell that is put with an
   * earlier timestamp than one that the store still has, and these changes remove, cannot.
   */
  boolean takes(Change change) {
    Column column = find(change.qualifier());
    return change.kind() == Change.Kind.DELETE
        || change.kind() == Change.Kind.ADD
        || column == null
        || column.now != null
        || column.stored == null
        || column.stored.timestamp() <= change.timestamp();
  }

  /**
   * Makes a change.
   *
   * @param nowMs the timestamp of sums, unless the store has a later one
   */
  void apply(Change change, long nowMs) {
    Column column = findOrAdd(change.qualifier());
    StoredCell now = column.now;
    switch (change.kind()) {
      case DELETE:
        if (now != null && now.timestamp() <= change.timestamp()) {
          column.now = null;
        }
        break;
      case ADD:
        long sum = longOf(change.value()) + (now == null ? 0 : longOf(now.value()));
        long stamp = column.stored == null ? nowMs : Math.max(nowMs, column.stored.timestamp());
        column.now =
            new StoredCell(
                column.qualifier, stamp, ByteBuffer.allocate(Long.BYTES).putLong(sum).array());
        break;
      case ADD_COUNTERS:
        byte[] before = now == null ? NO_COUNTERS : now.value();
        column.now =
            new StoredCell(
                column.qualifier, change.timestamp(), CounterCell.plus(before, change.value()));
        break;
      default:
        if (now == null || now.timestamp() <= change.timestamp()) {
          column.now = new StoredCell(column.qualifier, change.timestamp(), change.value());
        }
        break;
    }
  }

  private static long longOf(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }

  private @Nullable Column find(byte[] qualifier) {
    for (Column column : columns) {
      if (Arrays.equals(column.qualifier, qualifier)) {
        return column;
      }
    }
    return null;
  }

  private Column findOrAdd(byte[] qualifier) {
    Column known = find(qualifier);
    if (known != null) {
      return known;
    }
    Column added = new Column(qualifier, null);
    columns.add(added);
    return added;
  }

  /**
   * Adds what has to be written.
   *
   * @return whether there is anything
   */
  boolean addTo(List<Mutation> mutations) {
    Put put = new Put(row);
    Delete delete = new Delete(row);
    for (Column column : columns) {
      if (column.now == column.stored) {
        continue;
      }
      if (column.now != null) {
        put.addColumn(family.bytes(), column.qualifier, column.now.timestamp(), column.now.value());
      } else if (column.stored != null) {
        delete.addColumns(family.bytes(), column.qualifier, column.stored.timestamp());
      }
    }
    if (!put.isEmpty()) {
      mutations.add(put);
    }
    if (!delete.isEmpty()) {
      mutations.add(delete);
    }
    return !put.isEmpty() || !delete.isEmpty();
  }

  byte[] row() {
    return row;
  }

  Family family() {
    return family;
  }

  /** The row as it is now. */
  StoredRow content() {
    List<StoredCell> cells = new ArrayList<>(columns.size());
    for (Column column : columns) {
      if (column.now != null) {
        cells.add(column.now);
      }
    }
    return cells.isEmpty() ? StoredRow.EMPTY : new StoredRow(cells);
  }
}
