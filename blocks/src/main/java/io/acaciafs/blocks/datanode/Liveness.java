package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.settings.BlockSettings;
import java.time.Clock;

/**
 * Says how long a DataNode has been silent, and what that makes of it. Nothing runs in the
 * background: the question is answered when it is asked. Only what {@link Hearing} has moved on to
 * counts towards death.
 */
public final class Liveness {
  /** In the order in which readers should try them. */
  public enum State {
    LIVE,
    STALE,
    /**
     * Known from the store, but silent since this process began. Its replicas count until it has
     * been silent as long as a dead node, but reports do not list it as live.
     */
    AWAITED,
    DEAD
  }

  private final Clock clock;
  private volatile long staleMs;
  private volatile long deadMs;
  private volatile long heartbeatMs;
  private volatile long heardUntilMs = Long.MAX_VALUE;
  private final NodeVersion version;

  public Liveness(Clock clock, BlockSettings settings, NodeVersion version) {
    this.clock = clock;
    this.version = version;
    configure(settings);
  }

  /** From now on these hold. */
  public void configure(BlockSettings settings) {
    staleMs = settings.liveness().staleMs();
    deadMs = settings.liveness().deadMs();
    heartbeatMs = settings.liveness().heartbeatMs();
    version.raise();
  }

  /** Silence after this time makes no DataNode dead; {@link Long#MAX_VALUE}: all counts. */
  long heardUntilMs() {
    return heardUntilMs;
  }

  void heardUntil(long newHeardUntilMs) {
    heardUntilMs = newHeardUntilMs;
  }

  /** The silence after which a DataNode is dead. */
  long deadMs() {
    return deadMs;
  }

  /** The interval of heartbeats. */
  public long heartbeatMs() {
    return heartbeatMs;
  }

  /** The silence after which a DataNode is stale. */
  public long staleMs() {
    return staleMs;
  }

  public State of(Datanode datanode) {
    long untilMs = heardUntilMs; // before the last sign of life, which moves on first
    long lastMs = datanode.lastHeardMs();
    long nowMs = clock.millis();
    if (Math.min(nowMs, untilMs) - lastMs > deadMs) {
      return State.DEAD;
    }
    if (!datanode.isHeard()) {
      return State.AWAITED;
    }
    return nowMs - lastMs > staleMs ? State.STALE : State.LIVE;
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

  /** Whether it sent a heartbeat lately; it may be stale. */
  public boolean isAlive(Datanode datanode) {
    State state = of(datanode);
    return state == State.LIVE || state == State.STALE;
  }

  /** Whether a heartbeat at this time is one of a DataNode that is not even stale. */
  public boolean isFresh(long heardMs) {
    return clock.millis() - heardMs <= staleMs;
  }

  /** Its replicas no longer count. */
  public boolean isDead(Datanode datanode) {
    return of(datanode) == State.DEAD;
  }
}
