package io.acaciafs.namespace;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When each client that writes last renewed its lease. Kept in memory alone: after a restart every
 * lease counts as renewed at the start, as in HDFS. Safe for use by many threads.
 */
public final class Leases {
  /** HdfsConstants.LEASE_SOFTLIMIT_PERIOD: from then on another client may take a file over. */
  public static final long SOFT_LIMIT_MS = 60_000;

  private final Clock clock;
  private final long hardLimitMs;
  private final long startMs;
  private final Map<String, Long> renewals = new ConcurrentHashMap<>();

  public Leases(Clock clock, long hardLimitMs) {
    this.clock = clock;
    this.hardLimitMs = hardLimitMs;
    this.startMs = clock.millis();
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

  /** Forgets clients that have been silent for twice the hard limit: they count from the start. */
  public void forgetSilent() {
    long oldestMs = clock.millis() - 2 * hardLimitMs;
    renewals.values().removeIf(renewedMs -> renewedMs < oldestMs);
  }
}
