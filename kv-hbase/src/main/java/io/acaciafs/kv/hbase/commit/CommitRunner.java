package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.kv.engine.WriteSet;
import io.acaciafs.kv.hbase.client.Failures;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.read.UnprovenRead;
import io.acaciafs.kv.hbase.region.AssignmentProver;
import io.acaciafs.kv.hbase.region.Membership;
import io.acaciafs.kv.hbase.schema.RowCell;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.jspecify.annotations.Nullable;

/**
 * Commits and validates transactions: by one request if all rows lie in one region, and on a thread
 * {@code hbase-commit-N} if it takes more. Safe for use by many threads.
 */
public final class CommitRunner {
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final TableClient table;
  private final Membership membership;
  private final AssignmentProver prover;
  private final Committer committer;
  private final CommitThreads threads;
  private final RowCaches caches;
  private final RandomGenerator random;
  private final Validation validation;
  private final IndexWrites index;
  private final AwaitedRows awaited;

  /** During a pause: the table that may be written. */
  private volatile @Nullable Table exempt;

  /** What a commit needs beside the table. */
  public record Parts(
      Membership membership,
      AssignmentProver prover,
      Committer committer,
      CommitThreads threads,
      RowCaches caches,
      AwaitedRows awaited) {}

  public CommitRunner(TableClient table, Parts parts, RandomGenerator random) {
    this.table = table;
    this.membership = parts.membership;
    this.prover = parts.prover;
    this.committer = parts.committer;
    this.threads = parts.threads;
    this.caches = parts.caches;
    this.awaited = parts.awaited;
    this.random = random;
    this.validation = new Validation(table);
    this.index = new IndexWrites(table, committer, threads, random);
  }

  /**
   * Lets no commit begin here until {@link #resume}, which must follow soon: commits wait.
   *
   * @param exemptTable what writes to this table alone goes on
   * @return whether all commits in flight ended in time, with all their rows written; if not, there
   *     is no pause
   */
  public boolean pause(long longestMs, Table exemptTable) throws InterruptedException {
    threads.checkOpen();
    exempt = exemptTable; // first: exempt writes must not queue behind the pause
    boolean isPaused = false;
    try {
      isPaused = threads.pause(longestMs);
    } finally {
      exempt = isPaused ? exemptTable : null;
    }
    return isPaused;
  }

  /** Ends a pause. */
  public void resume() {
    exempt = null;
    threads.resume();
  }

  public CompletableFuture<Void> validate(Guards guards) {
    return guards.unproven().isEmpty()
        ? validateProven(guards)
        : validateProven(guards).thenCompose(valid -> prove(guards.unproven()));
  }

  /** Completes when all of these reads are proven. */
  private CompletableFuture<Void> prove(List<UnprovenRead> reads) {
    List<CompletableFuture<Void>> proofs = new ArrayList<>();
    for (UnprovenRead read : reads) {
      if (!read.isProven()) {
        proofs.add(
            prover
                .prove(read.by(), read.sentNs())
                .thenAccept(
                    isProven -> {
                      if (!isProven) {
                        throw new UnavailableException(
                            "The region server that answered may not have the region any more");
                      }
                    }));
      }
    }
    return CompletableFuture.allOf(proofs.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> validateProven(Guards guards) {
    if (Validation.isDone(guards)) {
      threads.checkOpen();
      return DONE;
    }
    return threads.submit(
        () ->
            Validation.suffices(guards)
                ? check(guards, () -> lockAndCheck(guards))
                : lockAndCheck(guards),
        failure -> noteConflict(guards, failure));
  }

  /** The same without waiting for room or for locks; fails if it would have to. */
  public CompletableFuture<Void> validateNonBlocking(Guards guards) {
    threads.checkOpen();
    if (Validation.isDone(guards)) {
      return DONE;
    }
    Supplier<CompletableFuture<Void>> wait =
        () -> CompletableFuture.failedFuture(new WouldBlockException());
    int count = guards.seen().size();
    if (!Validation.suffices(guards) || !awaited.tryAdd(count)) {
      return wait.get();
    }
    return check(guards, wait)
        .whenComplete(
            (nothing, failure) -> {
              awaited.remove(count);
              noteConflict(guards, Failures.causeOf(failure));
            });
  }

  /**
   * @param ifLocked where another transaction has locked a row
   */
  private CompletableFuture<Void> check(Guards guards, Supplier<CompletableFuture<Void>> ifLocked) {
    CompletableFuture<Boolean> checked = validation.check(guards);
    if (checked.isDone() && !checked.isCompletedExceptionally() && !checked.join()) {
      return DONE;
    }
    return checked
        .handle((isLocked, failure) -> afterCheck(isLocked, failure, ifLocked))
        .thenCompose(next -> next);
  }

  private CompletableFuture<Void> afterCheck(
      Boolean isLocked, Throwable failure, Supplier<CompletableFuture<Void>> ifLocked) {
    if (failure != null) {
      Throwable cause = Failures.causeOf(failure);
      return CompletableFuture.failedFuture(
          cause instanceof ConflictException
              ? cause
              : table.client().failed("check what was read", cause));
    }
    return isLocked ? ifLocked.get() : DONE;
  }

  private CompletableFuture<Void> lockAndCheck(Guards guards) {
    return threads.run(
        () ->
            committer.check(
                new CommitPlan(guards, new WriteSet(), caches.sums(), caches.counters())));
  }

  public CompletableFuture<Void> commit(Guards guards, WriteSet writes) {
    if (writes.isEmpty()) {
      return validate(guards);
    }
    return guards.unproven().isEmpty()
        ? commitProven(guards, writes)
        : commitProven(guards, writes).thenCompose(committed -> prove(guards.unproven()));
  }

  private CompletableFuture<Void> commitProven(Guards guards, WriteSet writes) {
    CommitPlan plan = new CommitPlan(guards, writes, caches.sums(), caches.counters());
    Supplier<CompletableFuture<Void>> commit = () -> commitNow(plan);
    Consumer<Throwable> end =
        failure -> {
          noteChanges(plan);
          if (failure == null) {
            plan.rows().stream()
                .filter(row -> row.change() == RowCell.Change.ACCUMULATE)
                .forEach(row -> caches.counters().add(row.key()));
          }
          noteConflict(guards, failure);
        };
    return isExempt(writes) ? threads.submitAnyway(commit, end) : threads.submit(commit, end);
  }

  /** Requests for the member table never wait for requests of other rows. */
  private boolean isExempt(WriteSet writes) {
    return isAllOf(exempt, writes) || isAllOf(membership.table(), writes);
  }

  private static boolean isAllOf(@Nullable Table table, WriteSet writes) {
    if (table == null) {
      return false;
    }
    for (int i = 0; i < writes.size(); i++) {
      if (!writes.write(i).key().table().equals(table)) {
        return false;
      }
    }
    return true;
  }

  private CompletableFuture<Void> commitNow(CommitPlan plan) {
    List<RowPlan> together = plan.together();
    if (together == null) {
      caches.recent().forgetChanged(plan.rows());
      return threads.run(() -> committer.commit(plan), Runnable::run);
    }
    HRegionLocation region = regionOf(together);
    if (region != null) {
      return send(region, together, () -> committer.commitAgain(plan));
    }
    CompletableFuture<Void> rows =
        index.write(plan.before()).thenCompose(before -> commitRows(plan));
    return plan.after().isEmpty() ? rows : rows.thenCompose(committed -> index.write(plan.after()));
  }

  /** Commits the rows that take effect at one moment: all but index rows. */
  private CompletableFuture<Void> commitRows(CommitPlan plan) {
    List<RowPlan> rows = List.copyOf(plan.rows());
    if (rows.isEmpty()) {
      return DONE;
    }
    HRegionLocation region = regionOf(rows);
    if (region == null) {
      caches.recent().forgetChanged(rows);
      return threads.run(() -> committer.commitRows(rows), Runnable::run);
    }
    return send(
        region,
        rows,
        () -> {
          rows.forEach(RowPlan::forget);
          return committer.commitRows(rows);
        });
  }

  /** The one region that all rows lie in, and where one request will do; else null. */
  private @Nullable HRegionLocation regionOf(List<RowPlan> rows) {
    return isAnyLocked(rows) ? null : RowGroups.common(table, rows);
  }

  /**
   * Sends one request; if it is not applied, a commit thread goes on.
   *
   * @param again commits with other assumptions
   */
  private CompletableFuture<Void> send(
      HRegionLocation region, List<RowPlan> rows, Supplier<Runnable> again) {
    long id = random.nextLong();
    return committer
        .regionCommit()
        .send(region, rows, id)
        .thenCompose(
            outcome ->
                outcome instanceof Outcome.Applied
                    ? applied(rows, id) // waits for nothing more
                    : threads.run(() -> conclude(outcome, rows, id, again), Runnable::run));
  }

  private CompletableFuture<Void> applied(List<RowPlan> rows, long id) {
    caches.recent().noteWritten(rows, id);
    return DONE;
  }

  private Runnable conclude(
      Outcome outcome, List<RowPlan> rows, long id, Supplier<Runnable> again) {
    if (committer.regionCommit().conclude(outcome, rows, id).isDone()) {
      caches.recent().noteWritten(rows, id);
      return () -> {};
    }
    caches.recent().forgetChanged(rows);
    return again.get();
  }

  /** Whether another transaction had locked a row when it was read. */
  private static boolean isAnyLocked(Collection<RowPlan> rows) {
    return rows.stream().anyMatch(row -> row.guard() != null && !row.guard().isSettled());
  }

  private void noteChanges(CommitPlan plan) {
    for (Collection<RowPlan> rows : List.of(plan.rows(), plan.before(), plan.after())) {
      rows.stream().filter(RowPlan::isChanged).forEach(row -> caches.versions().changed(row.key()));
    }
  }

  /** An assumption that was wrong once is not made again. */
  private void noteConflict(Guards guards, Throwable failure) {
    if (failure instanceof ConflictException) {
      guards.seen().keySet().forEach(caches.versions()::changed);
      caches.recent().forget(guards.seen().keySet());
      guards.assumedAbsent().forEach(caches.present()::add);
    }
  }
}
