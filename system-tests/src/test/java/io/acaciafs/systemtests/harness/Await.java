package io.acaciafs.systemtests.harness;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits, with a limit, for what another process makes true. */
public final class Await {
  private static final long POLL_NANOS = Duration.ofMillis(10).toNanos();

  private Await() {}

  /** Returns after a time in which other processes go on, where they show nothing to wait for. */
  public static void pass(long ms) throws Exception {
    long endNs = System.nanoTime() + Duration.ofMillis(ms).toNanos();
    until("a moment", Duration.ofMillis(2 * ms + 60_000), () -> System.nanoTime() - endNs > 0);
  }

  /**
   * Returns when the condition holds.
   *
   * @param what names the condition in the failure
   * @throws AssertionError when it does not hold in time
   */
  public static void until(String what, Duration limit, Callable<Boolean> condition)
      throws Exception {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(what + " did not happen within " + limit);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
