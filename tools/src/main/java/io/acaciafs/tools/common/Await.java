package io.acaciafs.tools.common;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Waits, with a limit, for what another server makes true and nobody tells us. */
public final class Await {
  private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();

  private Await() {}

  /** A question that may fail; a failure ends the wait. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws IOException;
  }

  /**
   * Returns when the condition holds.
   *
   * @param what names the condition in the exception
   * @throws TimeoutException when it does not hold in time
   * @throws InterruptedIOException when the thread is interrupted
   */
  public static void until(String what, Duration limit, Condition condition)
      throws IOException, TimeoutException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException(what + " did not happen within " + limit.toSeconds() + " s");
      }
      LockSupport.parkNanos(POLL_NANOS);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while waiting: " + what);
      }
    }
  }
}
