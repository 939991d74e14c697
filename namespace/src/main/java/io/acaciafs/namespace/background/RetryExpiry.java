package io.acaciafs.namespace.background;

import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.Caller;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Forgets answers that no client will ask for again. Finds them by the rows that order them by
 * time; a client's last attempt comes well within the ten minutes for which they are kept.
 */
public final class RetryExpiry implements AutoCloseable {
  private static final int ENTRIES_PER_TRANSACTION = 1000;
  private static final long TRANSACTION_SECONDS = 60;

  private final BackgroundTask task;

  /** Begins to watch, and looks for old answers at this interval. */
  public RetryExpiry(Namespace namespace, long intervalMs) {
    Caller self = Caller.superuser(namespace.settings().owner());
    this.task = new BackgroundTask("retry-expiry", intervalMs, () -> expireAll(namespace, self));
  }

  static void expireAll(Namespace namespace, Caller self)
      throws InterruptedException, ExecutionException, TimeoutException {
    while (expireSome(namespace, self)) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /**
   * One transaction. Waits for its commit.
   *
   * @return whether there may be more
   */
  private static boolean expireSome(Namespace namespace, Caller self)
      throws InterruptedException, ExecutionException, TimeoutException {
    return namespace
        .submit(
            self,
            tree -> {
              int expired = 0;
              try (Scan old =
                  tree.transaction().scan(NamespaceKeys.retriesUntil(tree.oldestRetryMs()))) {
                for (; expired < ENTRIES_PER_TRANSACTION && old.hasNext(); expired++) {
                  Row row = old.next();
                  tree.transaction().delete(NamespaceKeys.retryOf(row.key()));
                  tree.transaction().deleteAfter(row.key());
                }
              }
              return expired == ENTRIES_PER_TRANSACTION;
            })
        .get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    task.close();
  }
}
