package io.acaciafs.kv.hbase.lock;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.hbase.client.Backoff;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import io.acaciafs.kv.hbase.schema.RowCell;
import io.acaciafs.kv.hbase.schema.RowState;
import io.acaciafs.kv.hbase.schema.TransactionRecord;
import io.acaciafs.kv.run.RepeatedFailures;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.LoggerFactory;

/**
 * Resolves locks that transactions left on rows, by their records. Committed: the row is rolled
 * forward. Under way: the lock stays, or the transaction is ended once its lease is over. Gone: the
 * row is rolled back. Any process that meets a lock may do so, any number of times. Blocks; safe
 * for use by many threads.
 */
public final class LockResolver {
  private final TableClient table;
  private final RandomGenerator random;
  private final RepeatedFailures leftBehind =
      new RepeatedFailures(LoggerFactory.getLogger(LockResolver.class));

  public LockResolver(TableClient table, RandomGenerator random) {
    this.table = table;
    this.random = random;
  }

  /** Reads a row, and resolves a lock whose transaction is decided. */
  public RowState read(byte[] row) {
    RowState state = table.read(row);
    Backoff backoff = patience();
    while (!state.isSettled() && resolve(row, state, Map.of())) {
      checkPatience(backoff);
      state = table.read(row);
      if (!state.isSettled()) {
        backoff.next(); // its region may be moving
      }
    }
    return state;
  }

  /** Waits until no transaction has locked a row, and ends those whose lease is over. */
  public RowState settle(byte[] row, RowState seen) {
    RowState state = seen;
    Map<Long, Long> firstSeenNs = new HashMap<>();
    Backoff backoff = patience();
    while (!state.isSettled()) {
      if (!resolve(row, state, firstSeenNs)) {
        checkPatience(backoff);
        backoff.next();
      }
      state = table.read(row);
    }
    return state;
  }

  /**
   * Resolves what can be resolved.
   *
   * @param firstSeenNs when each transaction was met first; immutable to end none
   * @return whether the row is worth reading again
   */
  private boolean resolve(byte[] row, RowState state, Map<Long, Long> firstSeenNs) {
    boolean changed = false;
    if (state.cell() instanceof RowCell.Intent intent) {
      Fate fate = fate(intent.transaction(), intent.record(), firstSeenNs);
      if (fate != Fate.UNDER_WAY) {
        apply(row, fateOfLock(row, state, intent, fate));
        changed = true;
      }
    }
    for (RowState.Pending pending : state.pending()) {
      Fate fate = fate(pending.transaction(), pending.record(), firstSeenNs);
      if (fate != Fate.UNDER_WAY) {
        apply(row, fateOfDelta(row, pending, fate));
        changed = true;
      }
    }
    return changed;
  }

  private enum Fate {
    COMMITTED,
    UNDER_WAY,
    GONE
  }

  private Fate fate(long transaction, byte[] recordRow, Map<Long, Long> firstSeenNs) {
    byte[] record = table.readRecord(recordRow, transaction);
    if (record == null) {
      return Fate.GONE;
    }
    if (TransactionRecord.isCommitted(record)) {
      return Fate.COMMITTED;
    }
    if (firstSeenNs instanceof HashMap<Long, Long> known) {
      long nowNs = System.nanoTime();
      Long firstNs = known.putIfAbsent(transaction, nowNs);
      long leaseNs = TimeUnit.MILLISECONDS.toNanos(table.options().leaseMs());
      if (firstNs != null && nowNs - firstNs > leaseNs) {
        end(transaction, recordRow);
      }
    }
    return Fate.UNDER_WAY;
  }

  /**
   * Ends a transaction that has not committed.
   *
   * @return whether it is certain now that it never will
   */
  public boolean end(long transaction, byte[] recordRow) {
    RegionRequest request = new RegionRequest(random);
    request.requireRecord(recordRow, transaction, TransactionRecord.UNDER_WAY);
    request.deleteRecord(recordRow, transaction);
    return apply(recordRow, request) instanceof Outcome.Applied;
  }

  /**
   * Ends a transaction that has not committed, also while its record's region moves.
   *
   * @throws UnavailableException if no server serves the record; the lease ends the transaction
   *     then
   */
  public void endForGood(long transaction, byte[] recordRow) {
    Backoff backoff = patience();
    byte[] record = table.readRecord(recordRow, transaction);
    while (record != null
        && !TransactionRecord.isCommitted(record)
        && !end(transaction, recordRow)) {
      checkPatience(backoff);
      backoff.next();
      record = table.readRecord(recordRow, transaction);
    }
  }

  private RegionRequest fateOfLock(byte[] row, RowState state, RowCell.Intent intent, Fate fate) {
    RegionRequest request = new RegionRequest(random);
    request.requireLockedBy(row, intent.transaction());
    if (fate == Fate.GONE) {
      request.restoreCell(row, intent.old());
      return request;
    }
    RowState before = state.committed();
    switch (intent.change()) {
      case KEEP -> request.restoreCell(row, intent.old());
      case PUT -> {
        byte[] value = Objects.requireNonNull(intent.content(), "a put has a value");
        request.putCell(row, new RowCell.Value(intent.transaction(), value).encode());
        request.deleteCounters(row, before);
      }
      case DELETE -> {
        request.deleteCell(row);
        request.deleteCounters(row, before);
      }
      case ACCUMULATE -> {
        Counters delta = Counters.decode(intent.content());
        if (before.isCounters()) {
          request.restoreCell(row, intent.old());
          request.accumulate(row, delta, 0);
        } else {
          request.putCell(row, new RowCell.Base(before.counters().plus(delta)).encode());
          request.touch(row);
        }
      }
    }
    return request;
  }

  private RegionRequest fateOfDelta(byte[] row, RowState.Pending pending, Fate fate) {
    RegionRequest request = new RegionRequest(random);
    request.requirePending(row, pending.transaction(), pending.bytes());
    request.deletePending(row, pending.transaction());
    if (fate == Fate.COMMITTED) {
      request.accumulate(row, pending.delta(), 0);
    } else {
      request.touch(row);
    }
    return request;
  }

  /**
   * Sends a request for one row. A refused one was done already; otherwise the caller repeats it.
   */
  private Outcome apply(byte[] row, RegionRequest request) {
    Outcome outcome = table.sendNow(table.locateNow(row), request);
    if (outcome instanceof Outcome.NotServed) {
      table.relocate(row);
    }
    return outcome;
  }

  private Backoff patience() {
    return new Backoff(random, table.options().operationTimeoutMs());
  }

  private void checkPatience(Backoff backoff) {
    if (backoff.isOver()) {
      throw new UnavailableException(
          "A row stays locked by transactions of others for longer than "
              + table.options().operationTimeoutMs()
              + " ms");
    }
  }

  /** Finishes a committed transaction that its owner left, row by row; then removes its record. */
  void recover(byte[] recordRow, long transaction, byte[] record) {
    TransactionRecord.rowsOf(record).forEach(row -> settleOf(row, transaction));
    forget(recordRow, transaction);
  }

  /** Rolls a row forward as long as a committed transaction has locked it. */
  public void settleOf(byte[] row, long transaction) {
    Backoff backoff = patience();
    RowState state = table.read(row);
    while (isHeldBy(state, transaction)) {
      checkPatience(backoff);
      resolve(row, state, Map.of());
      state = table.read(row);
      if (isHeldBy(state, transaction)) {
        backoff.next(); // the record is under way, or a region moves
      }
    }
  }

  private static boolean isHeldBy(RowState state, long transaction) {
    return (state.cell() instanceof RowCell.Intent intent && intent.transaction() == transaction)
        || state.pending().stream().anyMatch(pending -> pending.transaction() == transaction);
  }

  /** Logs that locks are left to the next process that meets them. */
  public void noteLeftBehind(String what, RuntimeException failure) {
    leftBehind.failed(what, failure);
  }

  /** Removes the record of a transaction whose rows are all written. */
  public void forget(byte[] recordRow, long transaction) {
    RegionRequest request = new RegionRequest(random);
    request.setBackground();
    request.requireRecord(recordRow, transaction, TransactionRecord.COMMITTED);
    request.deleteRecord(recordRow, transaction);
    apply(recordRow, request);
  }
}
