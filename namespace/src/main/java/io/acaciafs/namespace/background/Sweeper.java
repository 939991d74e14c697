package io.acaciafs.namespace.background;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.Caller;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.SweepJob;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Removes what is below deleted directories, in many small transactions. What is left to do stands
 * in the store, so a sweep that a crash cut off goes on after the restart: a directory met on the
 * way becomes a job of its own in the transaction that removes its entry.
 *
 * <p>Nobody else touches these rows: all other operations guard the way from the root, which ends
 * where the directory was cut off.
 */
public final class Sweeper implements AutoCloseable {
  private static final int ENTRIES_PER_TRANSACTION = 200;
  private static final long TRANSACTION_SECONDS = 60;

  private final Namespace namespace;
  private final Caller self;
  private final BackgroundTask task;

  /** Begins to sweep, and looks for work at this interval. */
  public Sweeper(Namespace namespace, long intervalMs) {
    this.namespace = namespace;
    this.self = Caller.superuser(namespace.settings().owner());
    this.task = new BackgroundTask("namespace-sweeper", intervalMs, this::sweepAll);
  }

  private void sweepAll() throws InterruptedException, ExecutionException, TimeoutException {
    while (sweepOnce(namespace, self)) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /**
   * One transaction of the first job there is. Waits for its commit.
   *
   * @return false when there was nothing to do
   */
  static boolean sweepOnce(Namespace namespace, Caller self)
      throws InterruptedException, ExecutionException, TimeoutException {
    return namespace
        .submit(
            self,
            tree -> {
              Row job = firstJob(tree.transaction());
              if (job == null || tree.transaction().get(job.key()) == null) {
                return job != null;
              }
              if (tree.sweep(SweepJob.decode(job.value()), ENTRIES_PER_TRANSACTION)) {
                tree.transaction().delete(job.key());
              }
              return true;
            })
        .get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
  }

  private static Row firstJob(Transaction transaction) {
    try (Scan jobs = transaction.scan(KeyRange.ofTable(NamespaceKeys.JOBS))) {
      return jobs.hasNext() ? jobs.next() : null;
    }
  }

  @Override
  public void close() {
    task.close();
  }
}
