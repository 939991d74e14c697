package io.acaciafs.rpc.connection;

import io.netty.buffer.ByteBuf;

/**
 * The way of requests from the client: bytes wait here until {@link FlowControl} lets them be
 * processed. At most one read buffer of further bytes waits. For the network thread.
 */
final class Inbound {
  /** The longest turn of a connection before the network thread serves its other connections. */
  private static final long TURN_NANOS = 1_000_000;

  private static final long NONE = -1;

  private enum State {
    /** Bytes are processed when they come. */
    READY,
    /** Bytes are being processed. */
    PROCESSING,
    /** The connection had its turn, and has to let others have theirs. */
    AWAITING_TURN,
    /** The next request needs memory that other connections use. */
    AWAITING_MEMORY
  }

  private final EventLoops loops;
  private final ConnectionChannel channel;
  private final Lifecycle lifecycle;
  private final FlowControl flow;
  private final RequestReader requests;
  private final UnreadBytes unread;
  private final Runnable resume;
  private State state = State.READY;

  /** Whether the connection waited for this turn. */
  private boolean hasTurn;

  /** Whether this turn has begun calls. */
  private boolean hasCalls;

  /** How long the last turn with calls took; {@link #NONE} before the first one. */
  private long lastTurnNanos = NONE;

  private long lastReadNanos;
  private long lastCallNanos;

  /**
   * @param resume processes further requests, when the next turn has come
   */
  Inbound(
      EventLoops loops,
      ConnectionChannel channel,
      Lifecycle lifecycle,
      FlowControl flow,
      RequestReader requests,
      UnreadBytes unread,
      Runnable resume) {
    this.loops = loops;
    this.channel = channel;
    this.lifecycle = lifecycle;
    this.flow = flow;
    this.requests = requests;
    this.unread = unread;
    this.resume = resume;
  }

  /** The connection is open. */
  void opened(long nowNanos) {
    lastReadNanos = nowNanos;
  }

  /** When bytes came last. */
  long lastReadNanos() {
    return lastReadNanos;
  }

  /** Whether the network thread processes requests now. */
  boolean isProcessing() {
    return state == State.PROCESSING;
  }

  /** Whether the client has to send the rest of a request. */
  boolean isWithinRequest() {
    return requests.isWithinRequest();
  }

  /** Bytes have come. Returns false if they are dropped. */
  boolean add(ByteBuf bytes, long nowNanos) {
    lastReadNanos = nowNanos;
    if (!lifecycle.phase().isOpen()) {
      bytes.release();
      return false;
    }
    unread.add(bytes);
    return true;
  }

  /** A call begins; its time decides when the turn ends. */
  void began(long nowNanos) {
    lastCallNanos = nowNanos;
    hasCalls = true;
  }

  /** There may be memory for the next request. */
  void memoryFreed() {
    if (state == State.AWAITING_MEMORY) {
      state = State.READY;
    }
  }

  /** Processes further requests when it is the connection's turn. */
  void resumeInTurn() {
    if (state == State.READY && !unread.isEmpty()) {
      awaitTurn();
    } else {
      channel.execute(resume);
    }
  }

  private void awaitTurn() {
    state = State.AWAITING_TURN;
    channel.executeInTurn(loops, this::takeTurn, lastTurnNanos == NONE);
  }

  private void takeTurn() {
    if (state == State.AWAITING_TURN) {
      state = State.READY;
    }
    hasTurn = true;
    resume.run();
    hasTurn = false;
  }

  /** What was processed last took this long. */
  void hadTurn(long nanos) {
    if (hasCalls) {
      lastTurnNanos = nanos;
      if (nanos > TURN_NANOS) {
        loops.turnsOf(channel.eventLoop()).noteLongTurn();
      }
    }
  }

  /** A connection whose turns are short never waits for others. */
  private boolean mustAwaitTurn() {
    boolean isShort = lastTurnNanos != NONE && lastTurnNanos <= TURN_NANOS;
    return !hasTurn
        && !isShort
        && lifecycle.phase() == Phase.CALLS
        && loops.turnsOf(channel.eventLoop()).isBusy();
  }

  /**
   * Processes what has come, as far as it may.
   *
   * @return whether there was anything to process
   */
  boolean process() {
    if (state != State.READY || unread.isEmpty()) {
      return false;
    }
    state = State.PROCESSING;
    hasCalls = false;
    try {
      processRequests();
    } catch (BadFrameException e) {
      lifecycle.closeSilently(e.getMessage());
    } catch (Throwable t) {
      lifecycle.broken(t);
    } finally {
      if (state == State.PROCESSING) {
        state = State.READY;
      }
    }
    return true;
  }

  private void processRequests() throws BadFrameException {
    long firstNanos = 0;
    while (state == State.PROCESSING && !unread.isEmpty() && flow.mayProcess()) {
      if (!hasCalls && mustAwaitTurn()) {
        awaitTurn();
        return;
      }
      ByteBuf in = unread.first();
      if (requests.step(in, lastReadNanos)) {
        firstNanos = firstNanos == 0 ? lastCallNanos : firstNanos;
        if (lastCallNanos - firstNanos > TURN_NANOS) {
          awaitTurn();
        }
      } else if (in.isReadable()) {
        state = State.AWAITING_MEMORY;
      } else {
        unread.dropFirst();
      }
    }
  }

  /** Reads from the socket only if more could be processed. */
  void updateReading() {
    channel.setReading(
        lifecycle.phase() == Phase.CLOSING || (state == State.READY && flow.mayProcess()));
  }
}
