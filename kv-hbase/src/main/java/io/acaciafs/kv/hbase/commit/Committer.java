package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.hbase.client.Backoff;
import io.acaciafs.kv.hbase.fence.MemberCheck;
import io.acaciafs.kv.hbase.lock.LockResolver;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;

/** Commits by as many requests as it takes. Blocks; safe for use by many threads. */
public final class Committer {
  private final TableClient table;
  private final LockResolver locks;
  private final MemberCheck member;
  private final RecentRows recent;
  private final RegionCommit regionCommit;
  private final RandomGenerator random;

  /**
   * @param regionCommit commits rows of one region
   */
  public Committer(
      TableClient table,
      LockResolver locks,
      MemberCheck member,
      RegionCommit regionCommit,
      RecentRows recent,
      RandomGenerator random) {
    this.table = table;
    this.member = member;
    this.recent = recent;
    this.locks = locks;
    this.regionCommit = regionCommit;
    this.random = random;
  }

  RegionCommit regionCommit() {
    return regionCommit;
  }

  /**
   * Commits everything, index rows included.
   *
   * @return the work that remains after the caller was told of the commit
   */
  Runnable commit(CommitPlan work) {
    List<RowPlan> together = work.together();
    if (together != null && !together.isEmpty() && isOneRegion(together)) {
      return commitRows(together);
    }
    writeIndex(work.before());
    Runnable rest = work.rows().isEmpty() ? () -> {} : commitRows(List.copyOf(work.rows()));
    writeIndex(work.after());
    return rest;
  }

  /** The same after a first attempt that was refused, and so with other assumptions. */
  Runnable commitAgain(CommitPlan work) {
    work.forget();
    return commit(work);
  }

  /** Checks rows that the transaction does not change. */
  void check(CommitPlan work) {
    commitRows(List.copyOf(work.rows())).run();
  }

  /** Writes index rows: those of one region together. */
  void writeIndex(List<RowPlan> rows) {
    if (!rows.isEmpty()) {
      RowGroups.group(table, rows).forEach(group -> commitRows(group.rows()).run());
    }
  }

  private boolean isOneRegion(Collection<RowPlan> rows) {
    return RowGroups.group(table, rows).size() == 1;
  }

  /**
   * Commits rows that take effect together.
   *
   * @return the work that remains after the caller was told of the commit
   */
  Runnable commitRows(List<RowPlan> rows) {
    Backoff backoff = new Backoff(random, table.options().operationTimeoutMs());
    boolean isFirst = true;
    Attempt last;
    do {
      List<RowGroups.Group> groups;
      if (isFirst) {
        groups = readFirst(rows);
      } else {
        backoff.next();
        member.requireMember(); // HBase applies nothing of a process that was fenced off
        readAndCheck(rows);
        groups = RowGroups.group(table, rows);
      }
      isFirst = false;
      // A marker that is set needs nothing, not even a condition.
      List<RowPlan> undone = rows.stream().filter(row -> !row.isMarkerOfOthers()).toList();
      if (undone.isEmpty()) {
        return () -> {};
      }
      if (undone.size() < rows.size()) {
        groups = RowGroups.group(table, undone);
      }
      if (groups.size() == 1) {
        last = regionCommit.attempt(groups.get(0).region(), undone);
        if (last.isDone()) {
          return () -> {};
        }
      } else {
        TwoPhaseCommit spread = new TwoPhaseCommit(table, locks, member, random, undone);
        last = spread.run();
        if (last.isDone()) {
          recent.noteWritten(undone, spread.id());
          return spread::finish;
        }
      }
    } while (!backoff.isOver());
    throw new UnavailableException(
        "A commit was in the way of others, or HBase did not serve it, for longer than "
            + table.options().operationTimeoutMs()
            + " ms; nothing was written. When it was tried last, "
            + last.reason(),
        last.causeFor(rows));
  }

  /** Reads the rows whose state is needed before the first request. */
  private List<RowGroups.Group> readFirst(List<RowPlan> rows) {
    List<RowGroups.Group> groups = RowGroups.group(table, rows);
    List<RowPlan> unknown = rows.stream().filter(row -> row.known() == null).toList();
    if (groups.size() > 1) {
      List<RowPlan> guards = unknown.stream().filter(row -> !row.isBlind()).toList();
      boolean mayBegin = groups.stream().anyMatch(TwoPhaseCommit::mayBeFirst);
      unknown = mayBegin ? guards : unknown;
    }
    readAndCheck(unknown);
    return groups;
  }

  /** Reads rows, waits for transactions that have locked them, and checks the guards. */
  private void readAndCheck(List<RowPlan> rows) {
    List<RowState> states = table.read(rows.stream().map(RowPlan::row).toList());
    for (int i = 0; i < rows.size(); i++) {
      RowPlan row = rows.get(i);
      RowState seen = states.get(i);
      if (row.isOnlyAddition() && seen.isCounters() && !seen.isLocked()) {
        row.expectCounters(true); // in demand, they are never settled
      } else {
        row.learn(locks.settle(row.row(), seen));
      }
    }
  }
}
