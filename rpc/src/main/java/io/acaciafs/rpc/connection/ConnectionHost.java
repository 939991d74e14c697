package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.call.CallDispatcher;
import io.acaciafs.rpc.call.Workers;
import io.acaciafs.rpc.limit.ConnectionMemory;
import io.acaciafs.rpc.limit.UserCosts;
import io.acaciafs.rpc.limit.UserLoad;
import io.acaciafs.rpc.metrics.RefusalLog;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.options.RpcServerOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** Everything that the connections of one server share. Safe for use by many threads. */
public final class ConnectionHost {
  private final RpcServerOptions options;
  private final CallDispatcher calls;
  private final Workers workers;
  private final EventLoops loops;
  private final RpcMetrics metrics;
  private final LongSupplier nanoClock;
  private final UserCosts costs;
  private final ConnectionMemory memory;
  private final RefusalLog refusals;
  private final OpenConnections open;

  public ConnectionHost(
      RpcServerOptions options,
      CallDispatcher calls,
      Workers workers,
      EventLoops loops,
      RpcMetrics metrics,
      LongSupplier nanoClock) {
    this.options = options;
    this.calls = calls;
    this.workers = workers;
    this.loops = loops;
    this.metrics = metrics;
    this.nanoClock = nanoClock;
    this.costs = new UserCosts(options.fairness(), nanoClock.getAsLong());
    this.memory = new ConnectionMemory(options.connections().memoryBytes(), nanoClock);
    this.refusals = new RefusalLog(nanoClock);
    this.open = new OpenConnections(options.connections(), metrics);
  }

  // ---- For connections ----

  RpcServerOptions options() {
    return options;
  }

  CallDispatcher calls() {
    return calls;
  }

  Workers workers() {
    return workers;
  }

  EventLoops loops() {
    return loops;
  }

  RpcMetrics metrics() {
    return metrics;
  }

  RefusalLog refusals() {
    return refusals;
  }

  UserCosts costs() {
    return costs;
  }

  ConnectionMemory memory() {
    return memory;
  }

  OpenConnections open() {
    return open;
  }

  /** The longest request: what the options allow, at most half of the memory budget. */
  int maxFrameBytes() {
    return (int) Math.min(options.connections().maxFrameBytes(), memory.limitBytes() / 2);
  }

  long nanoTime() {
    return nanoClock.getAsLong();
  }

  // ---- For the server ----

  /** What each user costs, those with the highest recent cost first. */
  public List<UserLoad> userLoads() {
    return costs.loads(nanoTime());
  }

  /** Replaces the fairness limit of the options. */
  public void setFairnessLimitMs(long limitMs) {
    costs.setLimitMs(limitMs);
  }

  /** The part of the memory budget that is in use now. */
  public long usedMemoryBytes() {
    return memory.usedBytes();
  }

  public int openConnections() {
    return open.count();
  }

  /** Closes the connections that are idle now. */
  public void closeIdle() {
    open.closeIdle(nanoTime());
  }

  /**
   * Reads no more requests, closes every new connection, and answers the calls in flight.
   *
   * @return completes when all replies are sent; never fails
   */
  public CompletableFuture<Void> drain() {
    loops.stopMoving();
    return open.drain();
  }

  /** Closes all connections at once. */
  public void close() {
    open.close();
  }
}
