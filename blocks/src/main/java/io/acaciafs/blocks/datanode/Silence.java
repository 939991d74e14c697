package io.acaciafs.blocks.datanode;

import java.time.Clock;

/**
 * Computes how long the liveness of all DataNodes stays the same if no DataNode sends a heartbeat.
 * A result for one version stays valid while DataNodes only send heartbeats, so it walks over them
 * rarely. Safe for use by many threads.
 */
public final class Silence {
  private record Known(long version, long untilMs) {}

  private final DatanodeRegistry registry;
  private final Liveness liveness;
  private final NodeVersion version;
  private final Clock clock;
  private volatile Known known = new Known(-1, 0);

  public Silence(DatanodeRegistry registry, Liveness liveness, NodeVersion version, Clock clock) {
    this.registry = registry;
    this.liveness = liveness;
    this.version = version;
    this.clock = clock;
  }

  /** Milliseconds; 0 or less: something has just changed. */
  public long changesNothingForMs() {
    long nowMs = clock.millis();
    Known last = known;
    long present = version.get();
    if (last.version() != present || nowMs >= last.untilMs()) {
      last = new Known(present, earliestChangeMs());
      known = last;
    }
    return last.untilMs() - nowMs;
  }

  private long earliestChangeMs() {
    long earliestMs = Long.MAX_VALUE;
    for (Datanode node : registry.view().datanodes()) {
      earliestMs = Math.min(earliestMs, liveness.changesAtMs(node));
    }
    return earliestMs;
  }
}
