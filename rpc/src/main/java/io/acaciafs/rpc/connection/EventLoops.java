package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.options.Transport;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The network threads of a server, by {@link Lane}. All are daemons. Safe for many threads. */
public final class EventLoops {
  private final Map<Lane, EventLoopGroup> groups;
  private final Map<EventLoop, EventLoopReplies> replies = new ConcurrentHashMap<>();
  private final Map<EventLoop, EventLoopTurns> turns = new ConcurrentHashMap<>();
  private volatile boolean closing;

  /**
   * @param groups none where channels have their own threads; the shared one alone where
   *     connections stay
   */
  private EventLoops(Map<Lane, EventLoopGroup> groups) {
    this.groups = groups;
  }

  /** Starts the threads of a server. */
  public static EventLoops start(RpcServerOptions options, Transport transport) {
    Map<Lane, EventLoopGroup> groups = new EnumMap<>(Lane.class);
    groups.put(Lane.SHARED, group(Lane.SHARED, options.threads().ioThreads(), transport));
    if (transport.canMove()) {
      if (options.fairness().enabled()) {
        groups.put(Lane.ISOLATED, group(Lane.ISOLATED, options.fairness().threads(), transport));
      }
      if (!options.threads().serviceProtocols().isEmpty()) {
        int threads = Math.max(1, options.threads().ioThreads() / 2);
        groups.put(Lane.SERVICE, group(Lane.SERVICE, threads, transport));
      }
    }
    return new EventLoops(groups);
  }

  /** No threads, for connections whose channels have their own. */
  public static EventLoops none() {
    return new EventLoops(Map.of());
  }

  private static EventLoopGroup group(Lane lane, int threads, Transport transport) {
    return new MultiThreadIoEventLoopGroup(threads, threads(lane), transport.handlers());
  }

  /** Isolated users come after the others if the operating system respects priorities. */
  private static ThreadFactory threads(Lane lane) {
    int priority = lane == Lane.ISOLATED ? Thread.MIN_PRIORITY : Thread.NORM_PRIORITY;
    AtomicInteger number = new AtomicInteger();
    return target -> {
      Thread thread =
          new FastThreadLocalThread(target, lane.threadPrefix() + number.getAndIncrement());
      thread.setDaemon(true);
      thread.setPriority(priority);
      return thread;
    };
  }

  /** The threads on which connections begin. */
  public EventLoopGroup shared() {
    return Objects.requireNonNull(groups.get(Lane.SHARED), "a server has threads");
  }

  /** Whether connections may move to these threads now. */
  boolean canMoveTo(Lane lane) {
    return groups.containsKey(lane) && !closing;
  }

  /** A thread for a connection that {@linkplain #canMoveTo may move} there. */
  EventLoop next(Lane lane) {
    return Objects.requireNonNull(groups.get(lane), "connections can move there").next();
  }

  /** What the connections of a thread share. */
  EventLoopReplies repliesOf(EventLoop loop) {
    return replies.computeIfAbsent(loop, EventLoopReplies::new);
  }

  /** The turns of the connections of a thread. */
  EventLoopTurns turnsOf(EventLoop loop) {
    return turns.computeIfAbsent(loop, EventLoopTurns::new);
  }

  /** From now on connections stay where they are. */
  public void stopMoving() {
    closing = true;
  }

  /** Ends the threads within {@code graceMs}. */
  public void shutdown(long graceMs) {
    groups.values().forEach(group -> group.shutdownGracefully(0, graceMs, TimeUnit.MILLISECONDS));
  }

  /** Waits for each group at most this long; returns whether all threads have ended. */
  public boolean awaitTermination(long limitMs) throws InterruptedException {
    boolean ended = true;
    for (EventLoopGroup group : groups.values()) {
      ended &= group.awaitTermination(limitMs, TimeUnit.MILLISECONDS);
    }
    return ended;
  }
}
