package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.hbase.client.Backoff;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.fence.MemberCheck;
import io.acaciafs.kv.hbase.lock.LockResolver;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import io.acaciafs.kv.hbase.schema.RowCell;
import io.acaciafs.kv.hbase.schema.RowState;
import io.acaciafs.kv.hbase.schema.TransactionRecord;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to commit rows of several regions by two phases. Used by one thread, once.
 *
 * <ol>
 *   <li>Lock the rows that change, and guarded rows that are absent. The first region's locks come
 *       with a record, "under way"; meanwhile rows of the other regions are read that were not read
 *       yet. Then the other regions' rows are locked, all at once: a refused transaction waits for
 *       no lock but releases its own, so the locks need no order.
 *   <li>Validate the other guarded rows by reading them again: everything held at the moment
 *       between the last lock and the first of these reads. Rows of the first region become
 *       conditions of the commit instead.
 *   <li>Commit: one request writes the first region's rows and changes the record to "committed",
 *       provided that it still is "under way".
 *   <li>Write the other regions' rows, and remove the record.
 * </ol>
 *
 * <p>If the outcome is unknown, for example because a reply was lost, the record decides. See
 * docs/internals/hbase-transactions.md for the proof, and {@link LockResolver} for what other
 * processes do that meet a lock.
 */
public final class TwoPhaseCommit {
  private static final int ROUNDS = 4;
  private static final int COMMIT_ATTEMPTS = 3;

  private final TableClient table;
  private final LockResolver locks;
  private final MemberCheck member;
  private final RandomGenerator random;
  private final long id;
  private final List<RowGroups.Group> groups;
  private final List<RowPlan> unlocked = new ArrayList<>();

  /** Guarded rows of the first region, which are still there at the commit. */
  private final List<RowPlan> checkedAtCommit = new ArrayList<>();

  private final byte @Nullable [] record;

  /** Why it cannot go on. */
  private Attempt refusal = Attempt.LOCKED;

  /** The groups that are locked, or may be. */
  private final BitSet locked = new BitSet();

  /**
   * @param rows all known, but for changes of rows of other regions than the first, see {@link
   *     #mayBeFirst}
   */
  public TwoPhaseCommit(
      TableClient table,
      LockResolver locks,
      MemberCheck member,
      RandomGenerator random,
      List<RowPlan> rows) {
    this.table = table;
    this.locks = locks;
    this.member = member;
    this.random = random;
    this.id = random.nextLong();
    List<RowPlan> locked = new ArrayList<>();
    List<RowPlan> guards = new ArrayList<>();
    for (RowPlan row : rows) {
      (row.needsLock() ? locked : guards).add(row);
    }
    this.groups = firstOnesFirst(RowGroups.group(table, locked));
    this.record = groups.isEmpty() ? null : groups.get(0).rows().get(0).row();
    for (RowPlan row : guards) {
      (isInFirst(row) ? checkedAtCommit : unlocked).add(row);
    }
  }

  /** The row with its record, where it locks any. */
  private byte[] record() {
    return Objects.requireNonNull(record, "it locks rows");
  }

  /** The stamp of the rows that it puts. */
  long id() {
    return id;
  }

  /** Whether all is known of a region's rows that it takes to lock them. */
  static boolean mayBeFirst(RowGroups.Group group) {
    return group.rows().stream().allMatch(RowPlan::isReady)
        && group.rows().stream().anyMatch(RowPlan::needsLock);
  }

  private static List<RowGroups.Group> firstOnesFirst(List<RowGroups.Group> groups) {
    List<RowGroups.Group> sorted = new ArrayList<>(groups);
    sorted.sort(Comparator.comparing(group -> !mayBeFirst(group)));
    return sorted;
  }

  private boolean isInFirst(RowPlan row) {
    // A row that only has to be there may have gone and come again until then.
    return !groups.isEmpty()
        && row.guard() != null
        && table.locateNow(row.row()).getRegion().equals(groups.get(0).region().getRegion());
  }

  /**
   * Runs all steps up to the commit; {@link #finish} is to follow when it is done.
   *
   * @throws ConflictException when the rows are no longer what the transaction rests on
   */
  Attempt run() {
    boolean goesOn = false;
    try {
      goesOn = prepareAll() && validate();
    } finally {
      if (!goesOn) {
        release();
      }
    }
    if (!goesOn) {
      return refusal;
    }
    return groups.isEmpty() ? Attempt.DONE : commit();
  }

  public boolean prepareAll() {
    if (groups.isEmpty()) {
      return true;
    }
    if (!mayBeFirst(groups.get(0))) {
      refusal = Attempt.MOVED;
      return false;
    }
    List<RowPlan> unknown =
        groups.stream()
            .flatMap(group -> group.rows().stream())
            .filter(row -> !row.isReady())
            .toList();
    CompletableFuture<List<RowState>> seen =
        unknown.isEmpty() ? null : table.readLater(unknown.stream().map(RowPlan::row).toList());
    table.client().noteAlongside(unknown.isEmpty() ? 0 : 1);
    return isLocked(0, prepare(0)) && learn(unknown, seen) && prepareOthers();
  }

  private boolean prepareOthers() {
    List<CompletableFuture<Outcome>> sent = new ArrayList<>();
    for (int i = 1; i < groups.size(); i++) {
      sent.add(prepare(i));
    }
    table.client().noteAlongside(Math.max(0, sent.size() - 1));
    boolean areLocked = true;
    for (int i = 0; i < sent.size(); i++) {
      areLocked &= isLocked(i + 1, sent.get(i));
    }
    return areLocked;
  }

  private CompletableFuture<Outcome> prepare(int index) {
    RegionRequest request = new RegionRequest(random);
    if (index == 0) {
      request.putRecord(record(), id, TransactionRecord.UNDER_WAY);
    }
    groups.get(index).rows().forEach(row -> row.addLock(request, id, record()));
    locked.set(index); // until it is known that it is not
    return table.send(groups.get(index).region(), request);
  }

  private boolean isLocked(int index, CompletableFuture<Outcome> sent) {
    Outcome outcome = member.resolve(table.client().await(sent, "lock rows"));
    if (outcome instanceof Outcome.NotServed || outcome instanceof Outcome.Refused) {
      locked.clear(index);
    }
    if (outcome instanceof Outcome.NotServed) {
      // For the next attempt: a transaction that holds locks does not wait for a region.
      table.relocateLater(groups.get(index).rows().get(0).row());
    }
    if (outcome instanceof Outcome.Applied) {
      return true;
    }
    refusal = Attempt.again(outcome);
    return false;
  }

  private boolean learn(List<RowPlan> rows, @Nullable CompletableFuture<List<RowState>> seen) {
    if (seen == null) {
      return true;
    }
    List<RowState> states = table.client().await(seen, "read rows");
    for (int i = 0; i < rows.size(); i++) {
      if (!states.get(i).isSettled()) {
        refusal = Attempt.LOCKED;
        return false; // release the locks before waiting for it
      }
      rows.get(i).learn(states.get(i));
    }
    return true;
  }

  private boolean validate() {
    List<byte[]> rows = unlocked.stream().map(RowPlan::row).toList();
    boolean isConfirmed = unlocked.isEmpty();
    for (int round = 0; !isConfirmed && round < ROUNDS; round++) {
      List<RowState> states = table.read(rows);
      isConfirmed = true;
      for (int i = 0; i < unlocked.size(); i++) {
        if (!states.get(i).isSettled()) {
          refusal = Attempt.LOCKED;
          return false; // release the locks before waiting for it
        }
        // A row that only has to exist may have changed; then all have to be read once more.
        isConfirmed &= unlocked.get(i).confirm(states.get(i));
      }
    }
    refusal = Attempt.UNSTEADY; // where it is not
    return isConfirmed;
  }

  public Attempt commit() {
    RegionRequest request = new RegionRequest(random);
    request.requireRecord(record(), id, TransactionRecord.UNDER_WAY);
    checkedAtCommit.forEach(row -> row.addConditions(request));
    groups.get(0).rows().forEach(row -> row.addRollForward(request, id));
    if (groups.size() == 1) {
      request.deleteRecord(record(), id);
    } else {
      request.putRecord(record(), id, TransactionRecord.committed(rowsOfOthers()));
    }
    Outcome outcome = new Outcome.NotServed(null);
    for (int i = 0; i < COMMIT_ATTEMPTS && outcome instanceof Outcome.NotServed; i++) {
      if (i > 0) {
        table.relocate(record());
      }
      outcome = table.sendNow(table.locateNow(record()), request);
    }
    outcome = member.resolve(outcome);
    Attempt attempt = outcome instanceof Outcome.Applied ? Attempt.DONE : decide(outcome);
    if (!attempt.isDone()) {
      release();
    }
    return attempt;
  }

  /** Reads the record, and makes sure that a commit request still in flight is refused. */
  private Attempt decide(Outcome outcome) {
    Backoff backoff = new Backoff(random, table.options().operationTimeoutMs());
    while (!backoff.isOver()) {
      byte[] found = table.readRecord(record(), id);
      if (found == null) {
        return outcome instanceof Outcome.Unknown ? lookAtRows(outcome) : Attempt.ENDED;
      }
      if (TransactionRecord.isCommitted(found)) {
        return Attempt.DONE;
      }
      if (locks.end(id, record())) {
        return Attempt.again(outcome);
      }
      member.requireMember(); // a process that was fenced off can end nothing any more
      backoff.next();
    }
    throw table.client().failed("say whether a commit took effect", causeOf(outcome));
  }

  /**
   * The record is gone: with the commit, or after it, or because another process ended the
   * transaction.
   */
  private Attempt lookAtRows(Outcome outcome) {
    for (RowGroups.Group group : groups) {
      for (RowPlan row : group.rows()) {
        RowCell now = table.read(row.row()).cell();
        if (now instanceof RowCell.Value value && value.stamp() == id) {
          return Attempt.DONE;
        }
        if (now instanceof RowCell.Intent intent && intent.transaction() == id) {
          return Attempt.ENDED;
        }
      }
    }
    throw table.client().failed("say whether a commit took effect", causeOf(outcome));
  }

  private static @Nullable Throwable causeOf(Outcome outcome) {
    if (outcome instanceof Outcome.Unknown unknown) {
      return unknown.cause();
    }
    return outcome instanceof Outcome.NotServed notServed ? notServed.cause() : null;
  }

  /** Releases all locks; a process that meets one that remains releases it. */
  private void release() {
    try {
      for (int i = locked.nextSetBit(0); i >= 0; i = locked.nextSetBit(i + 1)) {
        RegionRequest request = new RegionRequest(random);
        if (i == 0) {
          request.requireRecord(record(), id, TransactionRecord.UNDER_WAY);
          request.deleteRecord(record(), id);
        }
        for (RowPlan row : groups.get(i).rows()) {
          row.addLockCondition(request, id, record());
          row.addRollBack(request, id);
        }
        if (!(table.sendNow(groups.get(i).region(), request) instanceof Outcome.Applied)) {
          locks.endForGood(id, record());
          groups.get(i).rows().forEach(row -> locks.settleOf(row.row(), id));
        }
      }
    } catch (RuntimeException e) {
      locks.noteLeftBehind("Locks of a transaction are left to others", e);
    }
  }

  /** Writes the rows of the other regions, after the commit. */
  public void finish() {
    if (groups.size() < 2) {
      return;
    }
    try {
      List<CompletableFuture<Outcome>> sent = new ArrayList<>();
      for (RowGroups.Group group : others()) {
        RegionRequest request = new RegionRequest(random);
        request.setBackground();
        for (RowPlan row : group.rows()) {
          row.addLockCondition(request, id, record());
          row.addRollForward(request, id);
        }
        sent.add(table.send(group.region(), request));
      }
      for (int i = 0; i < sent.size(); i++) {
        if (!(table.client().await(sent.get(i), "write rows") instanceof Outcome.Applied)) {
          others().get(i).rows().forEach(row -> locks.settleOf(row.row(), id));
        }
      }
      locks.forget(record(), id);
    } catch (RuntimeException e) {
      locks.noteLeftBehind("A committed transaction is left to others to finish", e);
    }
  }

  private List<RowGroups.Group> others() {
    return groups.subList(1, groups.size());
  }

  private List<byte[]> rowsOfOthers() {
    return others().stream().flatMap(group -> group.rows().stream()).map(RowPlan::row).toList();
  }
}
