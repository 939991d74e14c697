package io.acaciafs.kv.hbase.client;

import io.acaciafs.kv.StoreException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** Waits between attempts that double, with jitter. Used by one thread. */
public final class Backoff {
  private static final long FIRST_MICROS = 500;
  private static final long LONGEST_MICROS = 200_000;

  private final RandomGenerator random;
  private final long deadlineNs;
  private int count;

  public Backoff(RandomGenerator random, long patienceMs) {
    this.random = random;
    this.deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
  }

  public boolean isOver() {
    return System.nanoTime() - deadlineNs > 0;
  }

  /** Waits for the next attempt. */
  public void next() {
    long longest = Math.min(LONGEST_MICROS, FIRST_MICROS << Math.min(count++, 16));
    pause(random.nextLong(longest / 2, longest + 1));
  }

  static void pause(long micros) {
    long endNs = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
    for (long left = endNs - System.nanoTime(); left > 0; left = endNs - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        Thread.currentThread().interrupt();
        throw new StoreException("Interrupted while waiting for HBase");
      }
    }
  }
}
