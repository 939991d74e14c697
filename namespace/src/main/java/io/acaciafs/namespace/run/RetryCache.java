package io.acaciafs.namespace.run;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.settings.NamespaceSettings;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;

/**
 * How long the answers to calls that must not run twice are kept, and what this process knows of
 * them without asking the store; the answers themselves are rows, see {@code RetryEntries}. Safe
 * for use by many threads.
 */
public final class RetryCache {
  private final RetryHints hints;
  private final RunningTime runningTime;
  private final long expiryMs;
  private final boolean isAlone;

  /**
   * @param clock tells the times that users see
   * @param elapsed does not jump when somebody sets the clock
   */
  public RetryCache(Store store, NamespaceSettings settings, Clock clock, Clock elapsed) {
    this.hints = new RetryHints(elapsed, settings.retryExpiryMs());
    this.runningTime = new RunningTime(store, clock, elapsed);
    this.isAlone = !store.traits().partitionsSpread();
    this.expiryMs = settings.retryExpiryMs() + (isAlone ? 0 : RunningTime.MOST_BEHIND_MS);
  }

  RetryHints hints() {
    return hints;
  }

  /** Whether this process is the only one on the store. */
  boolean isAlone() {
    return isAlone;
  }

  /** The time of answers, which is not that of users. */
  long nowMs() {
    return runningTime.nowMs();
  }

  /** Answers from before this {@linkplain #nowMs time} are not kept any more. */
  public long oldestMs() {
    return nowMs() - expiryMs;
  }

  /** Writes the current time to the store, for later processes; completes when it is durable. */
  public CompletableFuture<Void> keepTime(TransactionRunner runner) {
    return runningTime.keep(runner);
  }
}
