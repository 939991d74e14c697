package io.acaciafs.bench.fleet;

import io.acaciafs.bench.CpuMeter;
import io.acaciafs.bench.fleet.FleetCounts.Kind;
import java.io.IOException;
import java.time.Duration;

/**
 * A fleet with a meter of the CPU that servers use from its start on; closes the fleet.
 *
 * @param whole was started before the fleet
 */
record MeasuredFleet(Fleet fleet, CpuMeter whole) implements AutoCloseable {
  /** Nothing that is waited for takes longer. */
  static final Duration LIMIT = Duration.ofMinutes(10);

  long count(Kind kind) {
    return fleet.counts().of(kind);
  }

  /** Until each has registered, and named its storage in a heartbeat behind that. */
  void awaitRegistered() throws IOException {
    fleet.await(Kind.REGISTRATIONS, 0, fleet.links(), LIMIT);
    fleet.await(Kind.HEARTBEATS, 0, fleet.links(), LIMIT);
  }

  /** Until each has sent so many heartbeats more, on the average. */
  void awaitBeats(int beats) throws IOException {
    fleet.await(Kind.HEARTBEATS, count(Kind.HEARTBEATS), (long) beats * fleet.links(), LIMIT);
  }

  @Override
  public void close() {
    fleet.close();
  }
}
