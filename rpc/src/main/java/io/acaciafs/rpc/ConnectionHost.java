package io.acaciafs.rpc;

import io.acaciafs.rpc.limit.ConnectionMemory;
import io.acaciafs.rpc.limit.UserCosts;
import io.acaciafs.rpc.metrics.RefusalLog;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;

/** What the connections of one server share, and the list of them. Any thread. */
final class ConnectionHost {
  private final RpcServerOptions options;
  private final CallDispatcher calls;
  private final ExecutorService workers;
  private final RpcMetrics metrics;
  private final UserCosts costs;
  private final LongSupplier nanoClock;
  private final ConnectionMemory memory;
  private final RefusalLog refusals;
  private final EventLoopGroup network;
  private final EventLoopGroup networkApart;
  private final Set<RpcConnection> open = ConcurrentHashMap.newKeySet();
  private final Map<EventLoop, LoopReplies> replies = new ConcurrentHashMap<>();
  private volatile boolean closing;

  /**
   * @param networkApart for users who cost much; null: connections stay where they are
   */
  ConnectionHost(
      RpcServerOptions options,
      CallDispatcher calls,
      ExecutorService workers,
      RpcMetrics metrics,
      UserCosts costs,
      LongSupplier nanoClock,
      EventLoopGroup network,
      EventLoopGroup networkApart) {
    this.options = options;
    this.calls = calls;
    this.workers = workers;
    this.metrics = metrics;
    this.costs = costs;
    this.nanoClock = nanoClock;
    this.memory = new ConnectionMemory(options.connectionMemoryBytes(), nanoClock);
    this.refusals = new RefusalLog(nanoClock);
    this.network = network;
    this.networkApart = networkApart;
  }

  RpcServerOptions options() {
    return options;
  }

  ConnectionMemory memory() {
    return memory;
  }

  RefusalLog refusals() {
    return refusals;
  }

  /** Of requests: what the options allow, as far as the memory for them all goes. */
  int maxFrameBytes() {
    return (int) Math.min(options.maxFrameBytes(), memory.limitBytes() / 2);
  }

  CallDispatcher calls() {
    return calls;
  }

  ExecutorService workers() {
    return workers;
  }

  long nanoTime() {
    return nanoClock.getAsLong();
  }

  UserCosts costs() {
    return costs;
  }

  /** Whether connections may go to other network threads. */
  boolean canMove() {
    return networkApart != null && !closing;
  }

  /** One of the network threads, for users who cost much or for all others. */
  EventLoop networkThread(boolean apart) {
    return (apart ? networkApart : network).next();
  }

  void moved() {
    metrics.connectionMoved();
  }

  /** What the connections of a network thread share. */
  LoopReplies repliesOf(EventLoop loop) {
    return replies.computeIfAbsent(loop, LoopReplies::new);
  }

  /** Whether the connection may stay. */
  boolean opened(RpcConnection connection) {
    metrics.connectionOpened();
    open.add(connection);
    if (closing) {
      return false;
    }
    if (options.maxConnections() > 0 && open.size() > options.maxConnections()) {
      refused();
      return false;
    }
    return true;
  }

  void closed(RpcConnection connection) {
    if (open.remove(connection)) {
      metrics.connectionClosed();
    }
  }

  void refused() {
    metrics.connectionRefused();
  }

  void pinged() {
    metrics.pinged();
  }

  /** From now on every new connection is closed. */
  Set<RpcConnection> close() {
    closing = true;
    return open;
  }

  void sweepIdle() {
    long nowNanos = nanoTime();
    boolean tooMany = open.size() > options.idleThreshold();
    open.forEach(connection -> connection.closeIfIdle(nowNanos, tooMany));
  }
}
