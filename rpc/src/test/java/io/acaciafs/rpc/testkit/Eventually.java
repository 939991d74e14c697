package io.acaciafs.rpc.testkit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads will bring about. */
public final class Eventually {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private Eventually() {}

  public static void await(String what, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begin > LIMIT_NANOS) {
        throw new AssertionError("Did not happen: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
