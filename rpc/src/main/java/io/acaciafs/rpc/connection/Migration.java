package io.acaciafs.rpc.connection;

/**
 * Moves one connection between the network threads of different {@linkplain Lane lanes}. For the
 * network thread.
 *
 * <p>A connection moves only when none of its calls is in flight and no task of the network thread
 * refers to it. Its unread replies move along; its requests wait meanwhile.
 */
final class Migration {
  private enum State {
    /** The connection stays where it is. */
    SETTLED,
    /** It moves when no call is in flight and no flush is scheduled. */
    AWAITING_CALLS,
    /** A task will make it leave its network thread. */
    SCHEDULED,
    /** It has left, or is about to, and will arrive at another network thread. */
    MOVING
  }

  private final ConnectionHost host;
  private final ConnectionChannel channel;
  private final Lifecycle lifecycle;
  private final CallsInFlight calls;
  private final Outbound outbound;
  private State state = State.SETTLED;
  private Lane lane = Lane.SHARED;

  /** Where it is, or where it is going. */
  private Lane wanted = Lane.SHARED;

  Migration(
      ConnectionHost host,
      ConnectionChannel channel,
      Lifecycle lifecycle,
      CallsInFlight calls,
      Outbound outbound) {
    this.host = host;
    this.channel = channel;
    this.lifecycle = lifecycle;
    this.calls = calls;
    this.outbound = outbound;
  }

  /** Whether requests may be processed, as no move is under way. */
  boolean isSettled() {
    return state == State.SETTLED;
  }

  /** Whether the network thread is one for isolated users. Any thread that runs a call. */
  boolean isIsolated() {
    return lane == Lane.ISOLATED;
  }

  /**
   * Begins or continues a move where one is due. Called before requests are processed and after
   * replies were flushed.
   *
   * @param itsLane where the connection belongs now
   */
  void check(Lane itsLane) {
    switch (state) {
      case SETTLED -> {
        wanted = itsLane;
        if (wanted != lane) {
          schedule();
        }
      }
      case AWAITING_CALLS -> schedule();
      case SCHEDULED -> {
        if (!mayMove()) {
          state = State.SETTLED;
        }
      }
      case MOVING -> {
        // it arrives in any case, or the channel closes
      }
    }
  }

  private boolean mayMove() {
    return lifecycle.phase() == Phase.CALLS && host.loops().canMoveTo(wanted);
  }

  private void schedule() {
    if (!mayMove()) {
      state = State.SETTLED;
      return;
    }
    channel.setReading(false);
    if (calls.count() > 0) {
      state = State.AWAITING_CALLS;
    } else {
      state = State.SCHEDULED;
      channel.execute(this::leave); // the other thread may go on before the current task ends
    }
  }

  private void leave() {
    if (state != State.SCHEDULED || channel.isClosed()) {
      return;
    }
    if (!mayMove()) {
      state = State.SETTLED;
    } else if (calls.count() > 0 || outbound.isFlushScheduled()) {
      state = State.AWAITING_CALLS; // the flush checks again
    } else {
      state = State.MOVING;
      outbound.flushIfDue();
      channel.moveTo(host.loops().next(wanted));
    }
  }

  /**
   * The channel has a network thread.
   *
   * @return whether it is another one than before
   */
  boolean arrived() {
    if (state != State.MOVING) {
      return false;
    }
    state = State.SETTLED;
    lane = wanted;
    host.metrics().connectionMoved();
    return true;
  }

  /**
   * Lets threads for other users run: with few processors they do not wait longer than for one
   * batch of an isolated user.
   */
  void yieldIfIsolated() {
    if (isIsolated()) {
      Thread.yield();
    }
  }
}
