package io.acaciafs.kv.raft;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The clock of a member, by which the member is stopped as its process would be: the clock goes on,
 * and threads that look at it wait until the member goes on, some before they have read it and some
 * after. A stopped member does not notice either that it leads no more, and for a moment longer.
 * Safe for use by many threads.
 */
final class MemberClock implements LongSupplier {
  private static final long LONGEST_STOP_NS = TimeUnit.SECONDS.toNanos(4);

  /** Threads of one process do not go on at the same moment. */
  private static final int LATEST_MS = 50;

  private final Random random;
  private boolean isStopped;
  private volatile long aheadNs;

  MemberClock(long seed) {
    this.random = new Random(seed);
  }

  @Override
  public long getAsLong() {
    long beforeNs = System.nanoTime();
    return aheadNs + (await() && drawBoolean() ? beforeNs : System.nanoTime());
  }

  private synchronized boolean drawBoolean() {
    return random.nextBoolean();
  }

  /** Time passes at once. */
  synchronized void pass(long seconds) {
    aheadNs += TimeUnit.SECONDS.toNanos(seconds);
  }

  synchronized void stop() {
    isStopped = true;
  }

  synchronized void goOn() {
    isStopped = false;
    notifyAll();
  }

  synchronized boolean isStopped() {
    return isStopped;
  }

  /**
   * Waits while the member is stopped.
   *
   * @return whether it was
   */
  synchronized boolean await() {
    boolean waits = isStopped;
    long beganNs = System.nanoTime();
    while (isStopped) {
      long leftNs = LONGEST_STOP_NS - (System.nanoTime() - beganNs);
      if (leftNs <= 0) {
        throw new IllegalStateException("A member is stopped for too long");
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, leftNs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return waits;
      }
    }
    return waits;
  }

  /** Waits while the member is stopped, and then for a moment. */
  void awaitAsTheLast() {
    if (await()) {
      int ms;
      synchronized (this) {
        ms = random.nextInt(LATEST_MS);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ms));
    }
  }
}
