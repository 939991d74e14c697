package io.acaciafs.blocks;

import java.time.Clock;

/**
 * Says how long a DataNode has been silent, and what that makes of it. Nothing runs in the
 * background: the question is answered when it is asked.
 */
final class Liveness {
  /** In the order in which readers should try them. */
  enum State {
    LIVE,
    STALE,
    DEAD
  }

  private final Clock clock;
  private volatile long staleMs;
  private volatile long deadMs;

  Liveness(Clock clock, BlockSettings settings) {
    this.clock = clock;
    configure(settings);
  }

  /** From now on these hold. */
  void configure(BlockSettings settings) {
    staleMs = settings.staleMs();
    deadMs = settings.deadMs();
  }

  State of(Datanode datanode) {
    long silentMs = clock.millis() - datanode.lastHeardMs();
    if (silentMs > deadMs) {
      return State.DEAD;
    }
    return silentMs > staleMs ? State.STALE : State.LIVE;
  }

  /** Whether a heartbeat at this time is one of a DataNode that is not even stale. */
  boolean isFresh(long heardMs) {
    return clock.millis() - heardMs <= staleMs;
  }

  boolean isDead(Datanode datanode) {
    return of(datanode) == State.DEAD;
  }
}
