package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import io.acaciafs.kv.hbase.schema.RowCell;
import io.acaciafs.kv.hbase.schema.RowKeys;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row that a transaction guards, or changes, or both; and what is known of it. Used by one thread
 * at a time.
 */
public final class RowPlan {
  private final Key key;
  private final byte[] row;

  /** As the transaction read it; null when it did not, or does not guard it. */
  private @Nullable RowState guard;

  private boolean required;
  private boolean isExpected;
  private boolean isMarker;
  private boolean isNew;
  private RowCell.@Nullable Change change;
  private byte @Nullable [] value;
  private @Nullable Counters delta;
  private int sumColumn;
  private boolean isUnsure;

  /** As it was last read; null if it was not. */
  private @Nullable RowState known;

  public RowPlan(Key key) {
    this.key = key;
    this.row = RowKeys.of(key);
  }

  Key key() {
    return key;
  }

  public byte[] row() {
    return row;
  }

  @Nullable RowState known() {
    return known;
  }

  /** As it was read before it was locked. */
  private RowState before() {
    return Objects.requireNonNull(known, "a row is read before it is locked");
  }

  private Counters added() {
    return Objects.requireNonNull(delta, "the change adds to counters");
  }

  private byte[] put() {
    return Objects.requireNonNull(value, "the change is a put");
  }

  @Nullable RowState guard() {
    return guard;
  }

  boolean isChanged() {
    return change != null;
  }

  RowCell.@Nullable Change change() {
    return change;
  }

  @Nullable Counters delta() {
    return delta;
  }

  void guard(RowState seen) {
    guard = seen;
    if (seen.isSettled()) {
      known = seen;
    }
  }

  /** Has the row read again. */
  void forget() {
    known = null;
  }

  void require() {
    required = true;
  }

  public void put(byte[] newValue) {
    put(newValue, false);
  }

  /**
   * @param replaces whether the row is most likely there
   */
  void put(byte[] newValue, boolean replaces) {
    change = RowCell.Change.PUT;
    value = newValue;
    isExpected = replaces;
  }

  /**
   * Puts a marker: a row that many transactions put alike, and that needs no put if it is there.
   */
  void putMarker(byte[] newValue) {
    put(newValue);
    isMarker = true;
  }

  boolean isMarker() {
    return isMarker;
  }

  /** Puts a row that nothing can have written or locked before. */
  void putNew(byte[] newValue) {
    put(newValue);
    isNew = true;
  }

  /** Whether nothing is to be done: it is a marker that is set already. */
  boolean isMarkerOfOthers() {
    return isMarker && known != null && known.exists();
  }

  void delete() {
    change = RowCell.Change.DELETE;
  }

  /**
   * @param column of its sums
   * @param areThere whether there are counters, most likely; if not, they are made where they are
   *     absent, which costs one more cell
   */
  void accumulate(Counters newDelta, int column, boolean areThere) {
    change = RowCell.Change.ACCUMULATE;
    delta = newDelta;
    sumColumn = column;
    isUnsure = !areThere;
  }

  /**
   * Depends on nothing of the row but that it may be added to.
   *
   * @param areThere as for {@link #accumulate}
   */
  void expectCounters(boolean areThere) {
    known = null;
    isUnsure = !areThere;
  }

  /** Whether it adds to a row of which it is not known whether it is there. */
  boolean isUnsure() {
    return isUnsure && known == null;
  }

  /**
   * Takes note of the row as it is now, not locked by another transaction.
   *
   * @throws ConflictException if that is not what the transaction depends on
   */
  public void learn(RowState settled) {
    if ((guard != null && !settled.isSameAs(guard.committed()))
        || (required && !settled.exists())) {
      throw new ConflictException(key);
    }
    known = settled;
  }

  /** Whether it only adds to counters, as far as is known, so that others may add meanwhile. */
  boolean isOnlyAddition() {
    return isShared() && isBlind();
  }

  /** Whether a row is the same as when it was last known; a conflict if it may not have changed. */
  boolean confirm(RowState settled) {
    RowState before = known;
    learn(settled);
    return before != null && before.isSameAs(settled);
  }

  /** Whether it must be locked when the transaction needs more than one request. */
  boolean needsLock() {
    // Nothing tells a row that is absent from one that came and went meanwhile.
    return change != null || (guard != null && before().cell() == null);
  }

  /** Whether others may add to the row at the same time, as far as is known. */
  boolean isShared() {
    return change == RowCell.Change.ACCUMULATE
        && guard == null
        && (known == null || known.isCounters());
  }

  /** Whether enough is known of the row to lock it, where it has to be. */
  boolean isReady() {
    return known != null || isShared();
  }

  /** Whether the transaction changes the row without a condition of its own. */
  boolean isBlind() {
    return change != null && guard == null && !required;
  }

  /** Whether both may be in one request that takes effect at once. */
  boolean canShareWith(RowPlan other) {
    if (change == null && other.change == null) {
      return isSameGuard(other);
    }
    if (isMarker && other.isMarker) {
      return true;
    }
    return isShared() && !required && other.isShared() && !other.required;
  }

  private boolean isSameGuard(RowPlan other) {
    return guard != null
        && other.guard != null
        && known != null
        && other.known != null
        && known.isSameAs(other.known);
  }

  /** The change of a shared row together with that of another one. */
  void add(RowPlan other) {
    delta = added().plus(other.added());
    isUnsure |= other.isUnsure;
  }

  /** The same, to which others may be added. */
  RowPlan copyOfShared() {
    RowPlan copy = new RowPlan(key);
    copy.known = known;
    copy.required = required;
    copy.accumulate(added(), sumColumn, !isUnsure);
    return copy;
  }

  /** Conditions on which the change may be made in one request. */
  void addConditions(RegionRequest request) {
    if (isMarker) {
      return; // markers are never removed, and a transaction that locks one is about to set it
    }
    if (known == null) {
      guess(request);
    } else if (guard != null || (change != null && !isShared())) {
      request.requireSame(row, known);
    } else if (change != null) {
      request.requireCounters(row);
    } else {
      request.requirePresent(row);
    }
  }

  /** Whether it makes the row what it adds to, in case that it is absent. */
  private boolean createsCounters() {
    return isUnsure() && isOnlyAddition();
  }

  /** The likely state of a row that was not read; a wrong guess only costs requests. */
  private void guess(RegionRequest request) {
    if (isNew) {
      return;
    }
    if (change == RowCell.Change.ACCUMULATE) {
      if (createsCounters()) {
        request.requireNewCountersOrNone(row);
      } else {
        request.requireCounters(row);
      }
    } else if (change == RowCell.Change.PUT && !required && !isExpected) {
      request.requireAbsent(row);
    } else if (change != null) {
      request.requireValue(row);
    } else {
      request.requirePresent(row);
    }
  }

  /** Whether it makes a difference that the change is made twice. */
  boolean isNotIdempotent() {
    return change != null && !isMarker;
  }

  /** Whether the request, once applied, would be refused when it came again. */
  boolean isRefusedIfRepeated() {
    if (change == null || isMarker) {
      return false;
    }
    return switch (change) {
      case PUT -> known != null || !(required || isExpected || isNew);
      case DELETE -> known == null || known.cell() != null;
      case ACCUMULATE -> !isShared();
      case KEEP -> false;
    };
  }

  /**
   * The row as it is after a put.
   *
   * @param stamp of the put
   */
  RowState written(long stamp) {
    RowCell.Value cell = new RowCell.Value(stamp, put());
    return new RowState(cell.encode(), cell, null, null, List.of(), List.of());
  }

  /** Makes the change, where the conditions hold or the row is locked. */
  void addChange(RegionRequest request, long stamp) {
    if (change == null) {
      return;
    }
    switch (change) {
      case KEEP -> throw new IllegalStateException("A change of kind KEEP is only a lock");
      case PUT -> {
        request.putCell(row, new RowCell.Value(stamp, put()).encode());
        clearCounters(request);
      }
      case DELETE -> {
        if (known == null || known.cell() != null) {
          request.deleteCell(row);
          clearCounters(request);
        }
      }
      case ACCUMULATE -> {
        if (createsCounters()) {
          request.putNewCounters(row, added());
        }
        if (known == null || known.isCounters()) {
          request.accumulate(row, added(), sumColumn);
        } else {
          request.putCell(row, new RowCell.Base(known.counters().plus(added())).encode());
          request.touch(row);
        }
      }
    }
  }

  private void clearCounters(RegionRequest request) {
    if (known != null) {
      request.deleteCounters(row, known);
    }
  }

  /** Locks the row for a transaction whose record is, or will be, in a row. */
  void addLock(RegionRequest request, long transaction, byte[] record) {
    if (isShared()) {
      request.requireCounters(row);
      request.putPending(row, transaction, RowState.Pending.encode(record, added()));
      request.touch(row);
    } else {
      request.requireSame(row, before());
      RowCell.Change what = change == null ? RowCell.Change.KEEP : change;
      byte[] content = delta == null ? value : delta.encode();
      request.putCell(
          row, new RowCell.Intent(transaction, what, record, before().bytes(), content).encode());
    }
  }

  /** The row is still locked by the transaction. */
  void addLockCondition(RegionRequest request, long transaction, byte[] record) {
    if (isShared()) {
      request.requirePending(row, transaction, RowState.Pending.encode(record, added()));
    } else {
      request.requireLockedBy(row, transaction);
    }
  }

  /** Makes the change and unlocks the row. */
  void addRollForward(RegionRequest request, long transaction) {
    if (isShared()) {
      request.deletePending(row, transaction);
      request.accumulate(row, added(), sumColumn);
      return;
    }
    if (change == null
        || (change == RowCell.Change.ACCUMULATE && before().isCounters())
        || (change == RowCell.Change.DELETE && before().cell() == null)) {
      request.restoreCell(row, before().bytes());
    }
    addChange(request, transaction);
  }

  /** Unlocks the row as it was. */
  void addRollBack(RegionRequest request, long transaction) {
    if (isShared()) {
      request.deletePending(row, transaction);
      request.touch(row);
    } else {
      request.restoreCell(row, before().bytes());
    }
  }
}
