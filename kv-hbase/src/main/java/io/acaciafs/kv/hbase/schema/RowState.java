package io.acaciafs.kv.hbase.schema;

import io.acaciafs.hbase.protocol.StoredCell;
import io.acaciafs.hbase.protocol.StoredRow;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * A row at one moment, as one read found it. Immutable.
 *
 * @param bytes the cell {@code v} as it is stored; null where there is none
 * @param cell the same, decoded
 * @param counted what the cells of counters add up to; null where there are none
 * @param lastChange the cell {@code n}; null where there is none
 * @param counterColumns the names of all cells of counters
 * @param pending deltas of transactions under way
 */
public record RowState(
    byte @Nullable [] bytes,
    @Nullable RowCell cell,
    @Nullable Counters counted,
    @Nullable Long lastChange,
    List<byte[]> counterColumns,
    List<Pending> pending) {

  public static final RowState ABSENT = new RowState(null, null, null, null, List.of(), List.of());

  /** A delta of a transaction under way, in a row that is not locked. */
  public record Pending(long transaction, byte[] bytes) {
    public static byte[] encode(byte[] record, Counters delta) {
      byte[] encoded = delta.encode();
      return ByteBuffer.allocate(4 + record.length + encoded.length)
          .putInt(record.length)
          .put(record)
          .put(encoded)
          .array();
    }

    /** The row of the transaction's record. */
    public byte[] record() {
      return Arrays.copyOfRange(bytes, 4, 4 + ByteBuffer.wrap(bytes).getInt());
    }

    public Counters delta() {
      int begin = 4 + ByteBuffer.wrap(bytes).getInt();
      return Counters.decode(Arrays.copyOfRange(bytes, begin, bytes.length));
    }
  }

  public static RowState of(Result result) {
    Cell[] cells = result.isEmpty() ? new Cell[0] : result.rawCells();
    if (cells.length == 0) {
      return ABSENT;
    }
    Builder builder = new Builder();
    for (Cell cell : cells) {
      builder.add(CellUtil.cloneQualifier(cell), CellUtil.cloneValue(cell));
    }
    return builder.build();
  }

  public static RowState of(StoredRow row) {
    if (row.cells().isEmpty()) {
      return ABSENT;
    }
    Builder builder = new Builder();
    for (StoredCell cell : row.cells()) {
      builder.add(cell.qualifier(), cell.value());
    }
    return builder.build();
  }

  /**
   * The value of a row that nobody has locked, read where it lies, as most rows of a scan are.
   *
   * @return null for any other row, which needs a state
   */
  public static byte @Nullable [] plainValue(Result result) {
    Cell[] cells = result.rawCells();
    if (cells.length != 1
        || !CellUtil.matchingQualifier(cells[0], Columns.VALUE)
        || cells[0].getValueLength() < RowCell.Value.HEADER_BYTES
        || cells[0].getValueArray()[cells[0].getValueOffset()] != RowCell.VALUE) {
      return null;
    }
    int offset = cells[0].getValueOffset();
    return Arrays.copyOfRange(
        cells[0].getValueArray(),
        offset + RowCell.Value.HEADER_BYTES,
        offset + cells[0].getValueLength());
  }

  /** Puts the cells of a row together. */
  private static final class Builder {
    private byte @Nullable [] value;
    private @Nullable Long lastChange;
    private @Nullable Counters counted;
    private final List<byte[]> columns = new ArrayList<>(0);
    private final List<Pending> pending = new ArrayList<>(0);

    void add(byte[] qualifier, byte[] content) {
      if (Columns.is(qualifier, Columns.VALUE)) {
        value = content;
      } else if (Columns.is(qualifier, Columns.CHANGE)) {
        lastChange = ByteBuffer.wrap(content).getLong();
        columns.add(qualifier);
      } else if (qualifier[0] == Columns.DELTA) {
        pending.add(new Pending(Columns.transactionOf(qualifier), content));
      } else {
        Counters part = part(qualifier, ByteBuffer.wrap(content).getLong());
        counted = counted == null ? part : counted.plus(part);
        columns.add(qualifier);
      }
    }

    RowState build() {
      return value == null && columns.isEmpty() && pending.isEmpty()
          ? ABSENT
          : new RowState(value, RowCell.decode(value), counted, lastChange, columns, pending);
    }
  }

  private static Counters part(byte[] qualifier, long value) {
    int index = qualifier[1];
    if (qualifier[0] == Columns.SUM) {
      long[] sums = new long[index + 1];
      sums[index] = value;
      return new Counters(sums, new long[0]);
    }
    long[] maxima = new long[index + 1];
    Arrays.fill(maxima, Long.MIN_VALUE);
    maxima[index] = value;
    return new Counters(new long[0], maxima);
  }

  public boolean isLocked() {
    return cell instanceof RowCell.Intent;
  }

  /** Whether transactions under way are in it, so that it is not known what holds. */
  public boolean isSettled() {
    return !isLocked() && pending.isEmpty();
  }

  /** The row as it was before the transaction that has it locked; else the row itself. */
  public RowState committed() {
    return cell instanceof RowCell.Intent intent
        ? new RowState(
            intent.old(),
            RowCell.decode(intent.old()),
            counted,
            lastChange,
            counterColumns,
            pending)
        : this;
  }

  public boolean exists() {
    return committed().cell != null;
  }

  /** The value of the row as last committed; null where there is none. */
  public byte @Nullable [] value() {
    RowCell current = committed().cell;
    if (current instanceof RowCell.Value found) {
      return found.value();
    }
    if (current instanceof RowCell.Base base) {
      return counters(base).encode();
    }
    if (current != null) {
      throw new StoreException("A lock upon a lock");
    }
    return null;
  }

  /** The row as counters, to which a delta may be added. */
  public Counters counters() {
    RowCell current = committed().cell;
    return current instanceof RowCell.Base base ? counters(base) : Counters.decode(value());
  }

  private Counters counters(RowCell.Base base) {
    return counted == null ? base.counters() : base.counters().plus(counted);
  }

  public boolean isCounters() {
    return committed().cell instanceof RowCell.Base;
  }

  /** Whether the row did not change between this state and another; neither may be locked. */
  public boolean isSameAs(RowState other) {
    if (!isSettled() || !other.isSettled()) {
      return false;
    }
    if (cell instanceof RowCell.Value value) {
      return other.cell instanceof RowCell.Value same && value.stamp() == same.stamp();
    }
    return Arrays.equals(bytes, other.bytes)
        && (cell == null || Objects.equals(lastChange, other.lastChange));
  }
}
