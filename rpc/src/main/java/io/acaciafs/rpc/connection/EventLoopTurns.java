package io.acaciafs.rpc.connection;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one network thread that have to wait for their turn: those whose last turn was
 * long, and new ones while others have long turns. Between two turns the thread reads from its
 * sockets and serves connections with short turns at once, so these wait for one turn, however many
 * connections are here. New connections and those with long turns alternate. For the network
 * thread.
 */
final class EventLoopTurns {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoopTurns.class);
  private static final Runnable NOTHING = () -> {};

  private final EventLoop loop;
  private final Queue<Runnable> newcomers = new ArrayDeque<>();
  private final Queue<Runnable> others = new ArrayDeque<>();
  private final Runnable takeNext = this::takeNext;
  private boolean wasNewcomer;

  EventLoopTurns(EventLoop loop) {
    this.loop = loop;
  }

  /** Whether a connection waits, or had a long turn since the thread read from its sockets. */
  boolean isBusy() {
    return !newcomers.isEmpty() || !others.isEmpty();
  }

  /** A turn was long: the thread is busy until it has read from its sockets. */
  void noteLongTurn() {
    if (!isBusy()) {
      add(NOTHING, false);
    }
  }

  /**
   * Runs a turn behind those that wait, and after the thread has read from its sockets.
   *
   * @param isNewcomer whether the connection had no turn yet
   */
  void add(Runnable turn, boolean isNewcomer) {
    boolean isScheduled = isBusy();
    (isNewcomer ? newcomers : others).add(turn);
    if (!isScheduled) {
      schedule();
    }
  }

  private void takeNext() {
    boolean isNewcomer = others.isEmpty() || !wasNewcomer && !newcomers.isEmpty();
    Runnable turn = (isNewcomer ? newcomers : others).remove();
    wasNewcomer = isNewcomer;
    if (isBusy()) {
      schedule();
    }
    turn.run();
  }

  /** By a timer: a task would run before the thread reads from its sockets. */
  private void schedule() {
    try {
      loop.schedule(takeNext, 0, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("Network thread has ended: loop={}", loop);
      newcomers.clear();
      others.clear();
    }
  }
}
