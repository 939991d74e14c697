package io.acaciafs.namenode.members;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long a lease lasts, and the clocks that tell.
 *
 * @param leaseMs the same for all members of a store
 * @param clock tells the time of day; those of all members have to agree within a minute
 * @param nanoTime as {@link System#nanoTime}: goes on when the process stands still
 */
public record LeaseTimes(long leaseMs, Clock clock, LongSupplier nanoTime) {
  /** How often a row is renewed in a lease. */
  private static final int RENEWALS = 5;

  /** A part of the lease that its owner gives up, as clocks do not run alike. */
  private static final int MARGIN = 10;

  /** By the clocks of this machine. */
  public static LeaseTimes ofSystem(long leaseMs) {
    return new LeaseTimes(leaseMs, Clock.systemUTC(), System::nanoTime);
  }

  long leaseNs() {
    return TimeUnit.MILLISECONDS.toNanos(leaseMs);
  }

  /** Between two renewals. */
  long renewalNs() {
    return leaseNs() / RENEWALS;
  }

  /** For how long the owner of a lease relies on it. */
  long reliableNs() {
    return leaseNs() - leaseNs() / MARGIN;
  }

  long nowNs() {
    return nanoTime.getAsLong();
  }

  long nowMs() {
    return clock.millis();
  }
}
