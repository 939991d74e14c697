package io.acaciafs.namespace.background;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.run.RepeatedFailures;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.lease.Leases;
import io.acaciafs.namespace.op.lease.ReleaseLease;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the files of writers that have been silent for the hard limit (dfs.namenode.lease-hard-
 * limit-sec), and those that somebody has taken from their writer, as soon as their last block is
 * recovered. Walks the rows of open files when there may be such ones, at an interval; keeps no
 * list of them, so a restart interrupts nothing. A file that cannot be closed does not keep others
 * from it.
 */
public final class LeaseMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseMonitor.class);
  private static final long TRANSACTION_SECONDS = 60;

  private final BackgroundTask task;

  /**
   * Begins to watch, and looks at all open files at this interval.
   *
   * @param isPaused no file is to be closed now
   */
  public LeaseMonitor(Namespace namespace, long intervalMs, BooleanSupplier isPaused) {
    Caller self = Caller.superuser(namespace.settings().permissions().owner());
    RepeatedFailures failures = new RepeatedFailures(LOG);
    this.task =
        new BackgroundTask(
            "lease-monitor",
            intervalMs,
            () -> {
              LeaseHolders.noteIfWanted(namespace);
              if (!isPaused.getAsBoolean()) {
                checkAll(namespace, self, isPaused, failures);
              }
            });
  }

  static void checkAll(
      Namespace namespace, Caller self, BooleanSupplier isPaused, RepeatedFailures failures)
      throws InterruptedException {
    Leases leases = namespace.leases();
    if (!leases.beginLook()) {
      return;
    }
    boolean isDone = false;
    try {
      isDone = closeAbandoned(namespace, self, isPaused, failures);
    } finally {
      leases.endLook(isDone);
    }
  }

  /**
   * @return whether none is left
   */
  private static boolean closeAbandoned(
      Namespace namespace, Caller self, BooleanSupplier isPaused, RepeatedFailures failures)
      throws InterruptedException {
    int waiting = 0;
    Leases leases = namespace.leases();
    try (Scan open = namespace.scan(KeyRange.ofTable(NamespaceKeys.OPEN_FILES))) {
      while (open.hasNext()) {
        Row row = open.next();
        OpenFile openFile = OpenFile.decode(row.value());
        if (openFile.isRecovering() || leases.isHardLimitExpired(openFile.clientName())) {
          boolean isClosed =
              release(
                  namespace,
                  self,
                  new ReleaseLease(NamespaceKeys.idOf(row.key()), openFile),
                  failures);
          waiting += isClosed ? 0 : 1;
        }
        if (isPaused.getAsBoolean()) {
          return false;
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    }
    leases.setWaiting(waiting);
    return waiting == 0;
  }

  private static boolean release(
      Namespace namespace, Caller self, ReleaseLease operation, RepeatedFailures failures)
      throws InterruptedException {
    try {
      return namespace.submit(self, operation).get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("Lease not released fileId={}", operation.fileId());
      failures.failed("Lease of a file not released, will try again", e);
      return false;
    }
  }

  @Override
  public void close() {
    task.close();
  }
}
