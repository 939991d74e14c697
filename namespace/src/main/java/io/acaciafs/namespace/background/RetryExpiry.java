package io.acaciafs.namespace.background;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RetryRow;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Forgets answers that no client will ask for again: dfs.namenode.retrycache.expirytime.millis
 * after the call, when no attempt of it is left, by the time for which NameNodes have run; and the
 * former directories by which such answers are found. Finds the directories that hold some by index
 * rows, which order them by time, and there looks at all answers.
 */
public final class RetryExpiry implements AutoCloseable {
  private static final int ENTRIES_PER_TRANSACTION = 1000;
  private static final long TRANSACTION_SECONDS = 60;

  private final BackgroundTask task;

  /**
   * How far a pass has come.
   *
   * @param index the index row that was reached; empty at the beginning
   * @param entry the last answer seen of its directory; null when none was, or all were
   */
  @SuppressWarnings("ArrayRecordComponent") // keys
  record Position(byte[] index, byte @Nullable [] entry) {
    /** Before all answers. */
    static final Position BEGIN = new Position(new byte[0], null);
  }

  /**
   * Begins to watch, and looks for old answers at this interval.
   *
   * @param isOurs whether this process is to do it, but for the time that each keeps; two that do
   *     lose time, and nothing else
   */
  public RetryExpiry(Namespace namespace, long intervalMs, BooleanSupplier isOurs) {
    Caller self = Caller.superuser(namespace.settings().permissions().owner());
    AtomicReference<Position> reached = new AtomicReference<>(Position.BEGIN);
    this.task =
        new BackgroundTask(
            "retry-expiry",
            intervalMs,
            () -> {
              namespace.keepRunningTime().get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
              if (isOurs.getAsBoolean()) {
                reached.set(expireAll(namespace, self, reached.get()));
              }
            });
  }

  /**
   * @param from a place before all answers that are left; later passes need not read over what
   *     earlier ones removed
   * @return such a place for the next pass
   */
  static @Nullable Position expireAll(Namespace namespace, Caller self, @Nullable Position from)
      throws InterruptedException, ExecutionException, TimeoutException {
    Position reached = from;
    for (Position next = from; next != null; next = expireSome(namespace, self, next)) {
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
   * @return how far it came; null when nothing was left
   */
  private static Position expireSome(Namespace namespace, Caller self, Position from)
      throws InterruptedException, ExecutionException, TimeoutException {
    return namespace
        .submit(self, tree -> expireSome(tree.transaction(), namespace.oldestRetryMs(), from))
        .get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
  }

  private static @Nullable Position expireSome(
      Transaction transaction, long oldestMs, Position from) {
    Position reached = null;
    int left = ENTRIES_PER_TRANSACTION;
    try (Scan indexes = transaction.unguarded().scan(NamespaceKeys.retries(from.index, oldestMs))) {
      while (left > 0 && indexes.hasNext()) {
        Key index = indexes.next().key();
        byte[] startAfter = Arrays.equals(index.bytes(), from.index) ? from.entry : null;
        KeyRange range = NamespaceKeys.retries(index);
        left--;
        try (Scan entries =
            transaction
                .unguarded()
                .scan(startAfter == null ? range : range.startingAfter(startAfter))) {
          byte[] last = null;
          for (; left > 0 && entries.hasNext(); left--) {
            Row row = entries.next();
            last = row.key().bytes();
            if (RetryRow.timeMs(row.key(), row.value()) < oldestMs) {
              transaction.delete(row.key());
            }
          }
          boolean isDone = !entries.hasNext();
          if (isDone) {
            transaction.deleteIndex(index);
          }
          reached = new Position(index.bytes(), isDone ? null : last);
        }
      }
    }
    return reached;
  }

  @Override
  public void close() {
    task.close();
  }
}
