package io.acaciafs.namespace;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * When each client that writes last renewed its lease. Kept in memory alone: after a restart every
 * lease counts as renewed at the start, as in HDFS. Safe for use by many threads.
 */
public final class Leases {
  /** HdfsConstants.LEASE_SOFTLIMIT_PERIOD: from then on another client may take a file over. */
  public static final long SOFT_LIMIT_MS = 60_000;

  /** Stands for all clients that have not renewed their lease since the start. */
  private static final String UNKNOWN = "";

  private final Clock clock;
  private final long hardLimitMs;
  private final long startMs;
  private final Map<String, Long> renewals = new ConcurrentHashMap<>();
  private final AtomicBoolean recoveryBegan = new AtomicBoolean(true); // perhaps, before the start
  private volatile long lookMs;

  public Leases(Clock clock, long hardLimitMs) {
    this.clock = clock;
    this.hardLimitMs = hardLimitMs;
    this.startMs = clock.millis();
    renewals.put(UNKNOWN, startMs);
  }

  public void renew(String clientName) {
    renewals.put(clientName, clock.millis());
  }

  public boolean isSoftLimitExpired(String clientName) {
    return ageMs(clientName) > SOFT_LIMIT_MS;
  }

  public boolean isHardLimitExpired(String clientName) {
    return ageMs(clientName) > hardLimitMs;
  }

  private long ageMs(String clientName) {
    return clock.millis() - renewals.getOrDefault(clientName, startMs);
  }

  /** A file is to be closed without its writer. */
  void recoveryBegan() {
    recoveryBegan.set(true);
  }

  /**
   * Whether there may be open files that wait to be closed without their writer; begins to look for
   * them, one at a time. Who finds that some have to wait on says so by {@link #endLook}.
   */
  public boolean beginLook() {
    boolean began = recoveryBegan.getAndSet(false);
    lookMs = clock.millis();
    return began || renewals.values().stream().anyMatch(this::wasSilent);
  }

  /**
   * Forgets the clients that had been silent for the hard limit when the look began: they count
   * from the start now, which is longer ago.
   *
   * @param isDone whether all their files were closed, and all that were being recovered
   */
  public void endLook(boolean isDone) {
    renewals.values().removeIf(this::wasSilent);
    if (!isDone) {
      recoveryBegan.set(true);
    }
  }

  private boolean wasSilent(long renewedMs) {
    return lookMs - renewedMs > hardLimitMs;
  }
}
