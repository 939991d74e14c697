package io.acaciafs.kv.hbase.schema;

import io.acaciafs.hbase.protocol.Change;
import io.acaciafs.hbase.protocol.CommitRequest;
import io.acaciafs.hbase.protocol.Condition;
import io.acaciafs.hbase.protocol.ConditionalWrite;
import io.acaciafs.hbase.protocol.Family;
import io.acaciafs.kv.Counters;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Conditions and changes of rows of one region, atomic, for HBase's own endpoint or the
 * coprocessor; for the latter with transactions that are judged each by itself, if the conditions
 * of all hold. Used by one thread, and sent once or as often as wanted.
 */
public final class RegionRequest {
  private static final byte[] NOTHING = {};

  private final RandomGenerator random;
  private final List<Change> changes = new ArrayList<>();
  private final List<Condition> conditions = new ArrayList<>();
  private final List<ConditionalWrite> transactions = new ArrayList<>();
  private byte @Nullable [] anyRow;
  private byte @Nullable [] lowest;
  private byte @Nullable [] highest;
  private boolean isAwaited = true;

  /** Whether the coprocessor is to take it, which adds to counters in place. */
  private final boolean isForCoprocessor;

  public RegionRequest(RandomGenerator random) {
    this(random, false);
  }

  private RegionRequest(RandomGenerator random, boolean isForCoprocessor) {
    this.random = random;
    this.isForCoprocessor = isForCoprocessor;
  }

  /** One that becomes a transaction of another request. */
  public static RegionRequest forCoprocessor(RandomGenerator random) {
    return new RegionRequest(random, true);
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
      require(row, Columns.VALUE, Condition.Kind.PREFIX, RowCell.Value.prefix(value.stamp()));
    } else {
      require(row, Columns.VALUE, Condition.Kind.EQUAL, Objects.requireNonNull(seen.bytes()));
      if (seen.lastChange() == null) {
        require(row, Columns.CHANGE, Condition.Kind.ABSENT);
      } else {
        require(row, Columns.CHANGE, Condition.Kind.EQUAL, longBytes(seen.lastChange()));
      }
    }
  }

  public void requireAbsent(byte[] row) {
    require(row, Columns.VALUE, Condition.Kind.ABSENT);
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
    require(row, Columns.VALUE, Condition.Kind.PREFIX_BELOW, new byte[] {kind});
  }

  /** The row holds counters, and is not locked. */
  public void requireCounters(byte[] row) {
    require(row, Columns.VALUE, Condition.Kind.PREFIX, new byte[] {RowCell.BASE});
  }

  /**
   * The row holds nothing, or counters, and is not locked. HBase's own conditions cannot say that
   * of all counters, but of those that {@link #putNewCounters} made, by their timestamp.
   */
  public void requireNewCountersOrNone(byte[] row) {
    if (isForCoprocessor) {
      require(row, Columns.VALUE, Condition.Kind.ABSENT_OR_PREFIX, new byte[] {RowCell.BASE});
    } else {
      require(row, Columns.VALUE, Condition.Kind.ABSENT_FROM_ONE);
    }
  }

  /** The row is locked by a transaction. */
  public void requireLockedBy(byte[] row, long transaction) {
    require(row, Columns.VALUE, Condition.Kind.PREFIX, RowCell.Intent.prefix(transaction));
  }

  public void requirePending(byte[] row, long transaction, byte[] delta) {
    require(row, Columns.delta(transaction), Condition.Kind.EQUAL, delta);
  }

  public void requireRecord(byte[] row, long transaction, byte[] record) {
    add(
        new Condition(
            row, Family.RECORDS, Columns.record(transaction), Condition.Kind.PREFIX, record));
  }

  public void putToken(byte[] row, byte[] member) {
    put(row, Family.RECORDS, Columns.TOKEN, Columns.TIMESTAMP, member);
  }

  public void deleteToken(byte[] row) {
    delete(row, Family.RECORDS, Columns.TOKEN, Columns.TIMESTAMP);
  }

  public void deleteReceipt(byte[] row) {
    delete(row, Family.RECORDS, Columns.RECEIPT, Columns.TIMESTAMP);
  }

  /**
   * The last request with the token left this number. The condition alone would be a read, which
   * does not prove that the server has the region; so the token, which is gone, is removed again.
   */
  public void requireReceipt(byte[] row, long number) {
    add(
        new Condition(
            row, Family.RECORDS, Columns.RECEIPT, Condition.Kind.PREFIX, longBytes(number)));
    deleteToken(row);
  }

  /**
   * The token is there; the request leaves its number beside it, and behind that which of its
   * transactions were refused.
   */
  public void requireToken(byte[] row, byte[] member, long number) {
    add(new Condition(row, Family.RECORDS, Columns.TOKEN, Condition.Kind.EQUAL, member));
    add(
        new Change(
            row,
            Change.Kind.PUT_RECEIPT,
            Family.RECORDS,
            Columns.RECEIPT,
            Columns.TIMESTAMP,
            longBytes(number)));
  }

  /**
   * Adds a transaction, which the coprocessor judges by itself.
   *
   * @param transaction without transactions of its own; not to be changed afterwards
   */
  public void addTransaction(RegionRequest transaction) {
    note(Objects.requireNonNull(transaction.lowest, "a transaction is not empty"));
    note(transaction.highest());
    transactions.add(new ConditionalWrite(transaction.conditions, transaction.changes));
  }

  /** Whether only the coprocessor can take it. */
  public boolean hasTransactions() {
    return !transactions.isEmpty();
  }

  /** The same with more in it. */
  public RegionRequest copy() {
    RegionRequest copy = new RegionRequest(random, isForCoprocessor);
    copy.changes.addAll(changes);
    copy.conditions.addAll(conditions);
    copy.transactions.addAll(transactions);
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
    put(row, Family.DATA, Columns.VALUE, Columns.TIMESTAMP, cell);
  }

  /**
   * Makes the row one of counters, of nothing so far, in case that it is absent. Whatever else is
   * written there hides it, and removes it.
   *
   * @param like has as many sums and maxima
   */
  public void putNewCounters(byte[] row, Counters like) {
    if (isForCoprocessor) {
      return; // it sees whether there are counters
    }
    long[] noMaxima = new long[like.maxima().length];
    Arrays.fill(noMaxima, Long.MIN_VALUE);
    RowCell.Base base = new RowCell.Base(new Counters(new long[like.sums().length], noMaxima));
    put(row, Family.DATA, Columns.VALUE, Columns.NEW_COUNTERS, base.encode());
  }

  public void deleteCell(byte[] row) {
    delete(row, Family.DATA, Columns.VALUE, Columns.TIMESTAMP);
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
      delete(row, Family.DATA, column, Columns.ALL_TIMESTAMPS);
    }
  }

  public void putRecord(byte[] row, long transaction, byte[] record) {
    put(row, Family.RECORDS, Columns.record(transaction), Columns.TIMESTAMP, record);
  }

  public void deleteRecord(byte[] row, long transaction) {
    delete(row, Family.RECORDS, Columns.record(transaction), Columns.TIMESTAMP);
  }

  public void putPending(byte[] row, long transaction, byte[] delta) {
    put(row, Family.DATA, Columns.delta(transaction), Columns.TIMESTAMP, delta);
  }

  public void deletePending(byte[] row, long transaction) {
    delete(row, Family.DATA, Columns.delta(transaction), Columns.TIMESTAMP);
  }

  /**
   * Adds to the cells of counters, and changes what guards of the row compare.
   *
   * @param column of each sum
   */
  public void accumulate(byte[] row, Counters delta, int column) {
    if (isForCoprocessor) {
      add(
          new Change(
              row,
              Change.Kind.ADD_COUNTERS,
              Family.DATA,
              Columns.VALUE,
              Columns.TIMESTAMP,
              delta.encode()));
      touch(row);
      return;
    }
    for (int i = 0; i < delta.sums().length; i++) {
      if (delta.sums()[i] != 0) { // HBase would read it
        add(
            new Change(
                row,
                Change.Kind.ADD,
                Family.DATA,
                Columns.sum(i, column),
                0,
                longBytes(delta.sums()[i])));
      }
    }
    touch(row);
    for (int i = 0; i < delta.maxima().length; i++) {
      long value = delta.maxima()[i];
      put(
          row,
          Family.DATA,
          Columns.maximum(i, value),
          Columns.timestampOf(value),
          longBytes(value));
    }
  }

  /** Changes the number that guards of a row of counters look at. */
  public void touch(byte[] row) {
    put(row, Family.DATA, Columns.CHANGE, Columns.TIMESTAMP, longBytes(random.nextLong()));
  }

  /** The request as HBase's own endpoint reads it; without transactions. */
  public ByteString encode() {
    return MutateRowsEncoder.encode(conditions, changes);
  }

  /** The request as the coprocessor reads it. */
  public byte[] encodeForCoprocessor() {
    return new CommitRequest(new ConditionalWrite(conditions, changes), transactions).encode();
  }

  private void require(byte[] row, byte[] column, Condition.Kind kind) {
    add(Condition.of(row, Family.DATA, column, kind));
  }

  private void require(byte[] row, byte[] column, Condition.Kind kind, byte[] operand) {
    add(new Condition(row, Family.DATA, column, kind, operand));
  }

  private void put(byte[] row, Family family, byte[] column, long timestamp, byte[] value) {
    add(new Change(row, Change.Kind.PUT, family, column, timestamp, value));
  }

  private void delete(byte[] row, Family family, byte[] column, long timestamp) {
    add(new Change(row, Change.Kind.DELETE, family, column, timestamp, NOTHING));
  }

  private void note(byte[] row) {
    anyRow = anyRow == null ? row : anyRow;
    lowest = lowest == null || Arrays.compareUnsigned(row, lowest) < 0 ? row : lowest;
    highest = highest == null || Arrays.compareUnsigned(row, highest) > 0 ? row : highest;
  }

  private void add(Condition condition) {
    note(condition.row());
    conditions.add(condition);
  }

  private void add(Change change) {
    note(change.row());
    changes.add(change);
  }

  private static byte[] longBytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }
}
