package io.acaciafs.blocks.report;

import io.acaciafs.blocks.settings.BlockSettings;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Permissions to send a full report, so that only a few DataNodes do at once. A DataNode that gets
 * none asks again with each heartbeat. Safe for use by many threads.
 */
public final class BlockReportLeases {
  private record Lease(long id, long expiresMs) {}

  private final Map<String, Lease> leases = new HashMap<>();
  private final Clock clock;
  private final RandomGenerator random;
  private final int limit;
  private final long lengthMs;

  public BlockReportLeases(Clock clock, RandomGenerator random, BlockSettings settings) {
    this.clock = clock;
    this.random = random;
    this.limit = settings.reports().maxLeases();
    this.lengthMs = settings.reports().leaseMs();
  }

  /**
   * @return the id of a new lease, which replaces an earlier one of the same DataNode; 0 where too
   *     many are out
   */
  public synchronized long request(String datanodeUuid) {
    long nowMs = clock.millis();
    leases.values().removeIf(lease -> lease.expiresMs() <= nowMs);
    leases.remove(datanodeUuid);
    if (leases.size() >= limit) {
      return 0;
    }
    long id = random.nextLong(1, Long.MAX_VALUE);
    leases.put(datanodeUuid, new Lease(id, nowMs + lengthMs));
    return id;
  }

  /**
   * @param id 0 (a report that an administrator asked for) is always valid
   */
  public synchronized boolean isValid(String datanodeUuid, long id) {
    Lease lease = leases.get(datanodeUuid);
    return id == 0 || lease != null && lease.id() == id && clock.millis() < lease.expiresMs();
  }

  public synchronized void release(String datanodeUuid, long id) {
    Lease lease = leases.get(datanodeUuid);
    if (lease != null && lease.id() == id) {
      leases.remove(datanodeUuid);
    }
  }
}
