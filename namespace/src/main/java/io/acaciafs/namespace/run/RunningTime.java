package io.acaciafs.namespace.run;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The time for which NameNodes have run on a store; the retry cache ages answers by it. Setting the
 * wall clock does not change it, and time without a running NameNode does not count. So it never
 * runs faster than real time.
 *
 * <p>Each process adds its own time to the value that it found in the store. From time to time it
 * writes its value to the store, or takes over a greater one. One process may be behind another by
 * {@link #MOST_BEHIND_MS}. Safe for use by many threads.
 */
final class RunningTime {
  /** Twice the longest time between two calls of {@link #keep}, which succeed most often. */
  static final long MOST_BEHIND_MS = 60_000;

  private final Reader store;
  private final Clock wall;
  private final Clock elapsed;

  /** Of the elapsed time; null before the store was asked. */
  private volatile @Nullable Long aheadMs;

  /**
   * @param wall gives the first value for a store that has none yet
   * @param elapsed does not jump when an administrator sets the clock
   */
  RunningTime(Reader store, Clock wall, Clock elapsed) {
    this.store = store;
    this.wall = wall;
    this.elapsed = elapsed;
  }

  /** In milliseconds; asks the store the first time. */
  long nowMs() {
    Long known = aheadMs;
    return elapsed.millis() + (known == null ? load() : known);
  }

  private synchronized long load() {
    if (aheadMs == null) {
      byte[] row = store.get(NamespaceKeys.runningTime());
      aheadMs = (row == null ? wall.millis() : decode(row)) - elapsed.millis();
    }
    return aheadMs;
  }

  private synchronized void takeOver(long foundMs) {
    aheadMs = Math.max(load(), foundMs - elapsed.millis());
  }

  /**
   * Writes the current value to the store, for later processes.
   *
   * @return completes when that is durable
   */
  CompletableFuture<Void> keep(TransactionRunner runner) {
    return runner.submit(
        transaction -> {
          byte[] row = transaction.get(NamespaceKeys.runningTime());
          if (row != null) {
            takeOver(decode(row));
          }
          transaction.put(
              NamespaceKeys.runningTime(),
              ByteBuffer.allocate(Long.BYTES).putLong(nowMs()).array());
          return null;
        });
  }

  private static long decode(byte[] row) {
    if (row.length != Long.BYTES) {
      throw new StoreException("Not a time: " + row.length + " bytes");
    }
    return ByteBuffer.wrap(row).getLong();
  }
}
