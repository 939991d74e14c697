package io.acaciafs.namespace.background;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.SweepJob;
import io.acaciafs.namespace.tree.Tree;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes what is below deleted directories, in many small transactions. What is left to do stands
 * in the store, so a sweep that a crash cut off goes on after the restart: a directory met on the
 * way becomes a job of its own in the transaction that removes its entry.
 *
 * <p>Nobody else touches these rows: all other operations guard the way from the root, which ends
 * where the directory was cut off.
 */
public final class Sweeper implements AutoCloseable {
  private static final int ROWS_PER_TRANSACTION = 1000;
  private static final long TRANSACTION_SECONDS = 60;

  private final Namespace namespace;
  private final Caller self;
  private final BackgroundTask task;

  /**
   * Begins to sweep, and looks for work at this interval.
   *
   * @param isOurs whether this process is to do it; two that do lose time, and nothing else
   */
  public Sweeper(Namespace namespace, long intervalMs, BooleanSupplier isOurs) {
    this.namespace = namespace;
    this.self = Caller.superuser(namespace.settings().permissions().owner());
    this.task =
        new BackgroundTask(
            "namespace-sweeper",
            intervalMs,
            () -> {
              if (isOurs.getAsBoolean()) {
                sweepAll();
              }
            });
  }

  /**
   * How far a pass has come. A next transaction begins there, and not where all that was removed
   * before lies on the disk still.
   *
   * @param job key of the present job
   * @param lastRemoved the last row removed for it; null: none yet
   */
  record Position(byte[] job, @Nullable Key lastRemoved) {
    static final Position START = new Position(new byte[0], null);
  }

  private void sweepAll() throws InterruptedException, ExecutionException, TimeoutException {
    Position position = Position.START;
    while (position != null) {
      position = sweepOnce(namespace, self, position);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /**
   * One transaction. Waits for its commit.
   *
   * @return where to go on; null when there was nothing to do
   */
  static Position sweepOnce(Namespace namespace, Caller self, Position from)
      throws InterruptedException, ExecutionException, TimeoutException {
    return namespace
        .submit(self, tree -> sweep(tree, from))
        .get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
  }

  private static @Nullable Position sweep(Tree tree, Position from) {
    Row job = firstJob(tree.transaction(), from.job());
    if (job == null) {
      return null;
    }
    byte[] key = job.key().bytes();
    if (tree.transaction().get(job.key()) == null) {
      return new Position(key, null);
    }
    Key startAfter = Arrays.equals(key, from.job()) ? from.lastRemoved() : null;
    Key last = tree.removal().sweep(SweepJob.decode(job.value()), startAfter, ROWS_PER_TRANSACTION);
    if (last == null) {
      tree.transaction().delete(job.key());
    } else {
      tree.transaction().put(job.key(), job.value()); // two that sweep the same conflict
    }
    return new Position(key, last);
  }

  private static @Nullable Row firstJob(Transaction transaction, byte[] from) {
    try (Scan jobs = transaction.unguarded().scan(NamespaceKeys.sweepJobs(from))) {
      return jobs.hasNext() ? jobs.next() : null;
    }
  }

  @Override
  public void close() {
    task.close();
  }
}
