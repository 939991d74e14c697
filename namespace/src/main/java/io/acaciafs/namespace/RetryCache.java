package io.acaciafs.namespace;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.TransactionRunner;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;

/**
 * How long the answers to calls that must not run twice are kept, and what this process knows of
 * them without asking the store; the answers themselves are rows, see {@code RetryEntries}. Safe
 * for use by many threads.
 */
final class RetryCache {
  private final Repetitions repetitions;
  private final RunningTime runningTime;
  private final long expiryMs;

  /**
   * @param clock tells the times that users see
   * @param elapsed does not jump when somebody sets the clock
   */
  RetryCache(Store store, NamespaceSettings settings, Clock clock, Clock elapsed) {
    this.repetitions = new Repetitions(elapsed, settings.retryExpiryMs());
    this.runningTime = new RunningTime(store, clock, elapsed);
    this.expiryMs =
        settings.retryExpiryMs()
            + (store.traits().partitionsSpread() ? RunningTime.MOST_BEHIND_MS : 0);
  }

  Repetitions repetitions() {
    return repetitions;
  }

  /** The time of answers, which is not that of users. */
  long nowMs() {
    return runningTime.nowMs();
  }

  /** Answers from before this {@linkplain #nowMs time} are not kept any more. */
  long oldestMs() {
    return nowMs() - expiryMs;
  }

  /** Writes the current time to the store, for later processes; completes when it is durable. */
  CompletableFuture<Void> keepTime(TransactionRunner runner) {
    return runningTime.keep(runner);
  }
}
