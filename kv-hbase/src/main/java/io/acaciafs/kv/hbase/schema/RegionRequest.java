package io.acaciafs.kv.hbase.schema;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Conditions and mutations of rows of one region, atomic: HBase's {@code MutateRowsRequest} in the
 * making (MultiRowMutation.proto). Used by one thread, and sent once or as often as wanted.
 *
 * <p>HBase compares the other way round: GREATER holds when the operand is greater than the cell.
 */
public final class RegionRequest {
  private static final int MUTATION_FIELD = 1;
  private static final int CONDITION_FIELD = 5;

  private static final TimeRange NOT_NEW_COUNTERS = TimeRange.from(Columns.TIMESTAMP);

  private final RandomGenerator random;
  private final List<MutationProto> mutations = new ArrayList<>();
  private final List<Condition> conditions = new ArrayList<>();
  private byte @Nullable [] anyRow;
  private byte @Nullable [] lowest;
  private byte @Nullable [] highest;
  private boolean isAwaited = true;

  public RegionRequest(RandomGenerator random) {
    this.random = random;
  }

  /** One of its rows, by which it finds its region. */
  public byte[] row() {
    return Objects.requireNonNull(anyRow, "the request is not empty");
  }

  /** The first of its rows; null where it is empty. */
  public byte @Nullable [] lowest() {
    return lowest;
  }

  /** The last of its rows, where it is not empty. */
  public byte[] highest() {
    return Objects.requireNonNull(highest, "the request is not empty");
  }

  boolean isEmpty() {
    return anyRow == null;
  }

  /** The row is exactly as it was seen, and not locked. */
  public void requireSame(byte[] row, RowState seen) {
    RowCell cell = seen.cell();
    if (cell == null) {
      requireAbsent(row);
    } else if (cell instanceof RowCell.Value value) {
      require(
          row,
          Columns.VALUE,
          CompareOperator.EQUAL,
          new BinaryPrefixComparator(RowCell.Value.prefix(value.stamp())));
    } else {
      require(row, Columns.VALUE, CompareOperator.EQUAL, new BinaryComparator(seen.bytes()));
      byte[] last = seen.lastChange() == null ? new byte[0] : longBytes(seen.lastChange());
      require(row, Columns.CHANGE, CompareOperator.EQUAL, new BinaryComparator(last));
    }
  }

  public void requireAbsent(byte[] row) {
    require(row, Columns.VALUE, CompareOperator.EQUAL, new BinaryComparator(new byte[0]));
  }

  /** The row is there, and not locked. */
  public void requirePresent(byte[] row) {
    requireKindBelow(row, RowCell.INTENT);
  }

  /** The row is a value, and not locked. */
  public void requireValue(byte[] row) {
    requireKindBelow(row, RowCell.BASE);
  }

  private void requireKindBelow(byte[] row, byte kind) {
    require(
        row, Columns.VALUE, CompareOperator.GREATER, new BinaryPrefixComparator(new byte[] {kind}));
  }

  /** The row holds counters, and is not locked. */
  public void requireCounters(byte[] row) {
    require(
        row,
        Columns.VALUE,
        CompareOperator.EQUAL,
        new BinaryPrefixComparator(new byte[] {RowCell.BASE}));
  }

  /**
   * The row holds nothing, or counters that {@link #putNewCounters} made, and is not locked.
   * Neither can be told from the other by one condition, and need not.
   */
  public void requireNewCountersOrNone(byte[] row) {
    add(
        row,
        condition(
                row,
                Columns.DATA,
                Columns.VALUE,
                CompareOperator.EQUAL,
                new BinaryComparator(new byte[0]))
            .toBuilder()
            .setTimeRange(ProtobufUtil.toTimeRange(NOT_NEW_COUNTERS))
            .build());
  }

  /** The row is locked by a transaction. */
  public void requireLockedBy(byte[] row, long transaction) {
    require(
        row,
        Columns.VALUE,
        CompareOperator.EQUAL,
        new BinaryPrefixComparator(RowCell.Intent.prefix(transaction)));
  }

  public void requirePending(byte[] row, long transaction, byte[] delta) {
    require(row, Columns.delta(transaction), CompareOperator.EQUAL, new BinaryComparator(delta));
  }

  public void requireRecord(byte[] row, long transaction, byte[] record) {
    add(
        row,
        condition(
            row,
            Columns.RECORDS,
            Columns.record(transaction),
            CompareOperator.EQUAL,
            new BinaryPrefixComparator(record)));
  }

  public void putToken(byte[] row, byte[] member) {
    put(row, Columns.RECORDS, Columns.TOKEN, Columns.TIMESTAMP, member);
  }

  public void deleteToken(byte[] row) {
    delete(row, Columns.RECORDS, Columns.TOKEN, Columns.TIMESTAMP);
  }

  public void deleteReceipt(byte[] row) {
    delete(row, Columns.RECORDS, Columns.RECEIPT, Columns.TIMESTAMP);
  }

  /** The last request with the token left this number; the condition leaves it once more. */
  public void requireReceipt(byte[] row, long number) {
    add(
        row,
        condition(
            row,
            Columns.RECORDS,
            Columns.RECEIPT,
            CompareOperator.EQUAL,
            new BinaryComparator(longBytes(number))));
    put(row, Columns.RECORDS, Columns.RECEIPT, Columns.TIMESTAMP, longBytes(number));
  }

  /** The token is there; the request leaves its number beside it. */
  public void requireToken(byte[] row, byte[] member, long number) {
    add(
        row,
        condition(
            row,
            Columns.RECORDS,
            Columns.TOKEN,
            CompareOperator.EQUAL,
            new BinaryComparator(member)));
    put(row, Columns.RECORDS, Columns.RECEIPT, Columns.TIMESTAMP, longBytes(number));
  }

  /** The same with more in it. */
  public RegionRequest copy() {
    RegionRequest copy = new RegionRequest(random);
    copy.mutations.addAll(mutations);
    copy.conditions.addAll(conditions);
    copy.anyRow = anyRow;
    copy.lowest = lowest;
    copy.highest = highest;
    copy.isAwaited = isAwaited;
    return copy;
  }

  /** No caller waits for it: its transaction has committed. */
  public void setBackground() {
    isAwaited = false;
  }

  public boolean isAwaited() {
    return isAwaited;
  }

  public void putCell(byte[] row, byte[] cell) {
    put(row, Columns.DATA, Columns.VALUE, Columns.TIMESTAMP, cell);
  }

  /**
   * Makes the row one of counters, of nothing so far, in case that it is absent. Whatever else is
   * written there hides it, and removes it.
   *
   * @param like has as many sums and maxima
   */
  public void putNewCounters(byte[] row, Counters like) {
    long[] noMaxima = new long[like.maxima().length];
    Arrays.fill(noMaxima, Long.MIN_VALUE);
    RowCell.Base base = new RowCell.Base(new Counters(new long[like.sums().length], noMaxima));
    put(row, Columns.DATA, Columns.VALUE, Columns.NEW_COUNTERS, base.encode());
  }

  public void deleteCell(byte[] row) {
    delete(row, Columns.DATA, Columns.VALUE, Columns.TIMESTAMP);
  }

  /** Writes the row back as it was, or removes it. */
  public void restoreCell(byte[] row, byte @Nullable [] cell) {
    if (cell == null) {
      deleteCell(row);
    } else {
      putCell(row, cell);
    }
  }

  /** Removes the cells of counters that were seen; they do not change while the row is locked. */
  public void deleteCounters(byte[] row, RowState seen) {
    for (byte[] column : seen.counterColumns()) {
      delete(row, Columns.DATA, column, Columns.ALL_TIMESTAMPS);
    }
  }

  public void putRecord(byte[] row, long transaction, byte[] record) {
    put(row, Columns.RECORDS, Columns.record(transaction), Columns.TIMESTAMP, record);
  }

  public void deleteRecord(byte[] row, long transaction) {
    delete(row, Columns.RECORDS, Columns.record(transaction), Columns.TIMESTAMP);
  }

  public void putPending(byte[] row, long transaction, byte[] delta) {
    put(row, Columns.DATA, Columns.delta(transaction), Columns.TIMESTAMP, delta);
  }

  public void deletePending(byte[] row, long transaction) {
    delete(row, Columns.DATA, Columns.delta(transaction), Columns.TIMESTAMP);
  }

  /**
   * Adds to the cells of counters, and changes what guards of the row compare.
   *
   * @param column of each sum
   */
  public void accumulate(byte[] row, Counters delta, int column) {
    Increment increment = new Increment(row);
    for (int i = 0; i < delta.sums().length; i++) {
      if (delta.sums()[i] != 0) { // HBase would read it
        increment.addColumn(Columns.DATA, Columns.sum(i, column), delta.sums()[i]);
      }
    }
    if (!increment.isEmpty()) {
      add(row, MutationType.INCREMENT, increment);
    }
    Put put = touching(row);
    for (int i = 0; i < delta.maxima().length; i++) {
      long value = delta.maxima()[i];
      put.addColumn(
          Columns.DATA, Columns.maximum(i, value), Columns.timestampOf(value), longBytes(value));
    }
    add(row, MutationType.PUT, put);
  }

  /** Changes the number that guards of a row of counters look at. */
  public void touch(byte[] row) {
    add(row, MutationType.PUT, touching(row));
  }

  private Put touching(byte[] row) {
    return new Put(row)
        .addColumn(Columns.DATA, Columns.CHANGE, Columns.TIMESTAMP, longBytes(random.nextLong()));
  }

  /** The request as HBase reads it. */
  public ByteString encode() {
    try {
      ByteString.Output bytes = ByteString.newOutput();
      CodedOutputStream output = CodedOutputStream.newInstance(bytes);
      for (MutationProto mutation : mutations) {
        output.writeMessage(MUTATION_FIELD, mutation);
      }
      for (Condition condition : conditions) {
        output.writeMessage(CONDITION_FIELD, condition);
      }
      output.flush();
      return bytes.toByteString();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
  }

  private void require(
      byte[] row, byte[] column, CompareOperator operator, ByteArrayComparable operand) {
    add(row, condition(row, Columns.DATA, column, operator, operand));
  }

  private static Condition condition(
      byte[] row,
      byte[] family,
      byte[] column,
      CompareOperator operator,
      ByteArrayComparable operand) {
    return Condition.newBuilder()
        .setRow(ByteString.copyFrom(row))
        .setFamily(ByteString.copyFrom(family))
        .setQualifier(ByteString.copyFrom(column))
        .setCompareType(CompareType.valueOf(operator.name()))
        .setComparator(ProtobufUtil.toComparator(operand))
        .build();
  }

  private void put(byte[] row, byte[] family, byte[] column, long timestamp, byte[] value) {
    add(row, MutationType.PUT, new Put(row).addColumn(family, column, timestamp, value));
  }

  private void delete(byte[] row, byte[] family, byte[] column, long timestamp) {
    add(row, MutationType.DELETE, new Delete(row).addColumns(family, column, timestamp));
  }

  private void note(byte[] row) {
    anyRow = anyRow == null ? row : anyRow;
    lowest = lowest == null || Arrays.compareUnsigned(row, lowest) < 0 ? row : lowest;
    highest = highest == null || Arrays.compareUnsigned(row, highest) > 0 ? row : highest;
  }

  private void add(byte[] row, Condition condition) {
    note(row);
    conditions.add(condition);
  }

  private void add(byte[] row, MutationType type, Mutation mutation) {
    note(row);
    try {
      mutations.add(ProtobufUtil.toMutation(type, mutation));
    } catch (IOException e) {
      throw new StoreException("A row that HBase cannot take", e);
    }
  }

  private static byte[] longBytes(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }
}
