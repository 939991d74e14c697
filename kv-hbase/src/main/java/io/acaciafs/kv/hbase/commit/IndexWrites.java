package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.read.TableClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Writes index rows: those of one region together, and with those that other transactions write at
 * the same time; regions side by side. Nothing holds them together, so nothing is locked. Safe for
 * use by many threads; waits for nothing.
 */
final class IndexWrites {
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final TableClient table;
  private final Committer committer;
  private final CommitThreads threads;
  private final RandomGenerator random;

  IndexWrites(
      TableClient table, Committer committer, CommitThreads threads, RandomGenerator random) {
    this.table = table;
    this.committer = committer;
    this.threads = threads;
    this.random = random;
  }

  /** Completes when all are durable. */
  CompletableFuture<Void> write(List<RowPlan> rows) {
    if (rows.isEmpty()) {
      return DONE;
    }
    List<RowGroups.Group> groups = RowGroups.known(table, rows);
    if (groups == null) {
      return threads.run(() -> committer.writeIndex(rows));
    }
    List<CompletableFuture<Void>> written = new ArrayList<>(groups.size());
    groups.forEach(group -> written.add(write(group)));
    table.client().noteAlongside(groups.size() - 1);
    return written.size() == 1
        ? written.get(0)
        : CompletableFuture.allOf(written.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> write(RowGroups.Group group) {
    long id = random.nextLong();
    return committer
        .regionCommit()
        .send(group.region(), group.rows(), id)
        .thenCompose(
            outcome ->
                outcome instanceof Outcome.Applied
                    ? DONE
                    : threads.run(() -> conclude(outcome, group.rows(), id)));
  }

  private void conclude(Outcome outcome, List<RowPlan> rows, long id) {
    if (!committer.regionCommit().conclude(outcome, rows, id).isDone()) {
      rows.forEach(RowPlan::forget);
      committer.writeIndex(rows);
    }
  }
}
