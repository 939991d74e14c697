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
    /**
     * Known from the store, and not heard of since this process began: its replicas count until it
     * has had the time of any silent node, but nobody is told that it is alive.
     */
    AWAITED,
    DEAD
  }

  private final Clock clock;
  private volatile long staleMs;
  private volatile long deadMs;
  private volatile long heartbeatMs;
  private final NodeVersion version;

  Liveness(Clock clock, BlockSettings settings, NodeVersion version) {
    this.clock = clock;
    this.version = version;
    configure(settings);
  }

  /** From now on these hold. */
  void configure(BlockSettings settings) {
    staleMs = settings.staleMs();
    deadMs = settings.deadMs();
    heartbeatMs = settings.heartbeatMs();
    version.raise();
  }

  /** So often a DataNode says how it is. */
  long heartbeatMs() {
    return heartbeatMs;
  }

  State of(Datanode datanode) {
    long silentMs = clock.millis() - datanode.lastHeardMs();
    if (silentMs > deadMs) {
      return State.DEAD;
    }
    if (!datanode.isHeard()) {
      return State.AWAITED;
    }
    return silentMs > staleMs ? State.STALE : State.LIVE;
  }

  /** When the state changes if the DataNode stays silent. */
  long changesAtMs(Datanode datanode) {
    long atMs = datanode.lastHeardMs() + 1;
    return switch (of(datanode)) {
      case LIVE -> atMs + staleMs;
      case STALE, AWAITED -> atMs + deadMs;
      case DEAD -> Long.MAX_VALUE;
    };
  }

  /** Whether it was heard of lately, if perhaps not in the last half minute. */
  boolean isAlive(Datanode datanode) {
    State state = of(datanode);
    return state == State.LIVE || state == State.STALE;
  }

  /** Whether a heartbeat at this time is one of a DataNode that is not even stale. */
  boolean isFresh(long heardMs) {
    return clock.millis() - heardMs <= staleMs;
  }

  /** Its replicas do not count any more. */
  boolean isDead(Datanode datanode) {
    return of(datanode) == State.DEAD;
  }
}
