package io.acaciafs.namespace.background;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.Caller;
import io.acaciafs.namespace.Leases;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.op.ReleaseLease;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Closes the files of writers that have been silent for the hard limit (dfs.namenode.lease-hard-
 * limit-sec). Walks the rows of open files at an interval; keeps no list of them.
 */
public final class LeaseMonitor implements AutoCloseable {
  private static final long TRANSACTION_SECONDS = 60;

  private final BackgroundTask task;

  /**
   * Begins to watch, and looks at all open files at this interval.
   *
   * @param isPaused no file is to be closed now
   */
  public LeaseMonitor(Namespace namespace, long intervalMs, BooleanSupplier isPaused) {
    Caller self = Caller.superuser(namespace.settings().owner());
    this.task =
        new BackgroundTask(
            "lease-monitor",
            intervalMs,
            () -> {
              if (!isPaused.getAsBoolean()) {
                checkAll(namespace, self);
              }
            });
  }

  static void checkAll(Namespace namespace, Caller self)
      throws InterruptedException, ExecutionException, TimeoutException {
    Leases leases = namespace.leases();
    try (Scan open = namespace.scan(KeyRange.ofTable(NamespaceKeys.OPEN_FILES))) {
      while (open.hasNext()) {
        Row row = open.next();
        String clientName = OpenFile.decode(row.value()).clientName();
        if (leases.isHardLimitExpired(clientName)) {
          namespace
              .submit(self, new ReleaseLease(NamespaceKeys.idOf(row.key()), clientName))
              .get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    }
    leases.forgetSilent();
  }

  @Override
  public void close() {
    task.close();
  }
}
