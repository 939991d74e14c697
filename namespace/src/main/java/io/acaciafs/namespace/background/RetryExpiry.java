package io.acaciafs.namespace.background;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.Caller;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Forgets answers that no client will ask for again. Finds them by the rows that order them by
 * time: dfs.namenode.retrycache.expirytime.millis after the call, when no attempt of it is left.
 */
public final class RetryExpiry implements AutoCloseable {
  /** Before all answers. */
  static final byte[] BEGIN = new byte[0];

  private static final int ENTRIES_PER_TRANSACTION = 1000;
  private static final long TRANSACTION_SECONDS = 60;

  private final BackgroundTask task;

  /** Begins to watch, and looks for old answers at this interval. */
  public RetryExpiry(Namespace namespace, long intervalMs) {
    Caller self = Caller.superuser(namespace.settings().owner());
    AtomicReference<byte[]> reached = new AtomicReference<>(BEGIN);
    this.task =
        new BackgroundTask(
            "retry-expiry",
            intervalMs,
            () -> reached.set(expireAll(namespace, self, reached.get())));
  }

  /**
   * @param from a key before all answers that are left; later passes need not read over what
   *     earlier ones removed
   * @return such a key for the next pass
   */
  static byte[] expireAll(Namespace namespace, Caller self, byte[] from)
      throws InterruptedException, ExecutionException, TimeoutException {
    byte[] reached = from;
    for (byte[] next = from; next != null; next = expireSome(namespace, self, next)) {
      reached = next;
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    return reached;
  }

  /**
   * One transaction. Waits for its commit.
   *
   * @return the last key removed; null when nothing was left
   */
  private static byte[] expireSome(Namespace namespace, Caller self, byte[] from)
      throws InterruptedException, ExecutionException, TimeoutException {
    return namespace
        .submit(
            self,
            tree -> {
              byte[] last = null;
              KeyRange range = NamespaceKeys.retries(from, tree.oldestRetryMs());
              try (Scan old = tree.transaction().scan(range)) {
                for (int i = 0; i < ENTRIES_PER_TRANSACTION && old.hasNext(); i++) {
                  Row row = old.next();
                  tree.transaction().delete(NamespaceKeys.retryOf(row.key()));
                  tree.transaction().deleteAfter(row.key());
                  last = row.key().bytes();
                }
              }
              return last;
            })
        .get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    task.close();
  }
}
