package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.options.Transport;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The network threads of a server: {@code rpc-io-N}, and {@code rpc-io-isolated-N} for the
 * connections of isolated users. All are daemons. Safe for use by many threads.
 */
public final class EventLoops {
  private final @Nullable EventLoopGroup shared;
  private final @Nullable EventLoopGroup isolated;
  private final Map<EventLoop, EventLoopReplies> replies = new ConcurrentHashMap<>();
  private final Map<EventLoop, EventLoopTurns> turns = new ConcurrentHashMap<>();
  private volatile boolean closing;

  /**
   * @param shared null is for channels that have their own threads
   * @param isolated null: connections stay where they are
   */
  private EventLoops(@Nullable EventLoopGroup shared, @Nullable EventLoopGroup isolated) {
    this.shared = shared;
    this.isolated = isolated;
  }

  /** Starts the threads of a server. */
  public static EventLoops start(RpcServerOptions options, Transport transport) {
    EventLoopGroup shared =
        new MultiThreadIoEventLoopGroup(
            options.threads().ioThreads(),
            threads("rpc-io-", Thread.NORM_PRIORITY),
            transport.handlers());
    if (!options.fairness().enabled() || !transport.canMove()) {
      return new EventLoops(shared, null);
    }
    // Isolated users come after the others if the operating system respects priorities.
    EventLoopGroup isolated =
        new MultiThreadIoEventLoopGroup(
            options.fairness().threads(),
            threads("rpc-io-isolated-", Thread.MIN_PRIORITY),
            transport.handlers());
    return new EventLoops(shared, isolated);
  }

  /** No threads, for connections whose channels have their own. */
  public static EventLoops none() {
    return new EventLoops(null, null);
  }

  private static ThreadFactory threads(String name, int priority) {
    AtomicInteger number = new AtomicInteger();
    return target -> {
      Thread thread = new FastThreadLocalThread(target, name + number.getAndIncrement());
      thread.setDaemon(true);
      thread.setPriority(priority);
      return thread;
    };
  }

  /** The threads on which connections begin. */
  public EventLoopGroup shared() {
    return Objects.requireNonNull(shared, "a server has threads");
  }

  /** Whether connections may move between the threads. */
  boolean canMove() {
    return isolated != null && !closing;
  }

  /** A thread for a connection of an isolated user, or of another one. */
  EventLoop next(boolean isolated) {
    return (isolated ? isolated() : shared()).next();
  }

  private EventLoopGroup isolated() {
    return Objects.requireNonNull(isolated, "connections can move");
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
    shared().shutdownGracefully(0, graceMs, TimeUnit.MILLISECONDS);
    if (isolated != null) {
      isolated.shutdownGracefully(0, graceMs, TimeUnit.MILLISECONDS);
    }
  }

  /** Waits for each group at most this long; returns whether all threads have ended. */
  public boolean awaitTermination(long limitMs) throws InterruptedException {
    return shared().awaitTermination(limitMs, TimeUnit.MILLISECONDS)
        & (isolated == null || isolated.awaitTermination(limitMs, TimeUnit.MILLISECONDS));
  }
}
