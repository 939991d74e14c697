package io.acaciafs.rpc;

import io.acaciafs.rpc.limit.UserCosts;
import io.acaciafs.rpc.limit.UserLoad;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.metrics.SlowCalls;
import io.acaciafs.rpc.options.FairnessOptions;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.options.Transport;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server of Hadoop RPC. It listens from {@link #start} until {@link #close}, which may be called
 * by any thread but the server's own. Its threads are daemons, so it does not keep a process alive.
 */
public final class RpcServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RpcServer.class);
  private static final long THREADS_END_MS = 5000;
  private static final long SHORTEST_SWEEP_MS = 1000;

  /** So many times fewer workers are there for users who cost much. */
  private static final int PART_FOR_COSTLY_USERS = 4;

  private final RpcServerOptions options;
  private final RpcMetrics metrics;
  private final ThreadPoolExecutor workers;
  private final ThreadPoolExecutor workersApart;
  private final ConnectionHost host;
  private final EventLoopGroup network;
  private final EventLoopGroup networkApart;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<Channel> listeners = new ArrayList<>();
  private final List<InetSocketAddress> addresses = new ArrayList<>();

  private RpcServer(
      RpcServerOptions options,
      List<RpcProtocol> protocols,
      Transport transport,
      CallListener.Provider listeners,
      LongSupplier nanoClock) {
    this.options = options;
    List<RpcProtocol> served = new ArrayList<>(protocols);
    served.add(MetaInfo.about(protocols));
    workers =
        RpcThreads.workers("rpc-worker-", options.workerThreads(), options.workerQueueLimit());
    workersApart =
        RpcThreads.workers(
            "rpc-worker-apart-",
            Math.max(1, options.workerThreads() / PART_FOR_COSTLY_USERS),
            options.workerQueueLimit());
    metrics = new RpcMetrics(() -> workers.getQueue().size() + workersApart.getQueue().size());
    CallDispatcher calls =
        new CallDispatcher(
            served,
            workers,
            workersApart,
            options.mayWait(),
            metrics,
            new ReplyCache(options.replyCacheBytes()),
            listeners,
            options.slowCallLog() ? new SlowCalls(options.slowCallThresholdMs(), metrics) : null);
    network =
        new MultiThreadIoEventLoopGroup(
            options.ioThreads(), RpcThreads.network(), transport.handlers());
    networkApart =
        options.fairness().enabled() && transport.canMove()
            ? new MultiThreadIoEventLoopGroup(
                options.fairness().threads(), RpcThreads.networkApart(), transport.handlers())
            : null;
    UserCosts costs = new UserCosts(options.fairness(), nanoClock.getAsLong());
    host =
        new ConnectionHost(
            options, calls, workers, metrics, costs, nanoClock, network, networkApart);
  }

  /**
   * Starts a server; it serves when this returns. Which versions of the protocols there are is
   * answered by the server itself.
   *
   * @throws IOException if the address cannot be bound, or if Hadoop is configured for security,
   *     which would be a promise that this server does not keep
   * @throws IllegalArgumentException if a version of a protocol is given twice
   * @throws IllegalStateException if this machine does not have the transport that is asked for
   */
  public static RpcServer start(RpcServerOptions options, List<RpcProtocol> protocols)
      throws IOException {
    return start(options, protocols, CallListener.Provider.NONE);
  }

  /** The same, with somebody who is told of the calls that have ended. */
  public static RpcServer start(
      RpcServerOptions options, List<RpcProtocol> protocols, CallListener.Provider listeners)
      throws IOException {
    return start(options, protocols, listeners, System::nanoTime);
  }

  static RpcServer start(
      RpcServerOptions options,
      List<RpcProtocol> protocols,
      CallListener.Provider listeners,
      LongSupplier nanoClock)
      throws IOException {
    if (UserGroupInformation.isSecurityEnabled()) {
      throw new IOException(
          "hadoop.security.authentication asks for more than simple, which is all that is served");
    }
    Transport transport = Transport.of(options.transport());
    RpcServer server = new RpcServer(options, protocols, transport, listeners, nanoClock);
    try {
      server.listen(transport);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
    LOG.info("RPC server started: addresses={} transport={}", server.addresses(), transport.name());
    return server;
  }

  private void listen(Transport transport) throws IOException {
    int highWater = options.replyHighWaterBytes();
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(network)
            .channel(transport.serverChannel())
            .option(ChannelOption.SO_BACKLOG, options.listenBacklog())
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, false)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(highWater / 2, highWater))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new RpcConnection(host));
                  }
                });
    bind(bootstrap, options.bindAddress());
    for (InetSocketAddress more : options.moreAddresses()) {
      bind(bootstrap, more);
    }
    if (options.idleTimeoutMs() > 0) {
      long periodMs = Math.max(SHORTEST_SWEEP_MS, options.idleTimeoutMs() / 2);
      listeners
          .get(0)
          .eventLoop()
          .scheduleWithFixedDelay(this::sweepIdle, periodMs, periodMs, TimeUnit.MILLISECONDS);
    }
  }

  private void bind(ServerBootstrap bootstrap, InetSocketAddress wanted) throws IOException {
    if (wanted.isUnresolved()) {
      throw new UnknownHostException(wanted.getHostString());
    }
    ChannelFuture bound = bootstrap.bind(wanted).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "Cannot listen at "
              + wanted.getHostString()
              + ':'
              + wanted.getPort()
              + ": "
              + bound.cause().getMessage(),
          bound.cause());
    }
    listeners.add(bound.channel());
    addresses.add((InetSocketAddress) bound.channel().localAddress());
  }

  /** Where it listens first of all, with the real port. */
  public InetSocketAddress address() {
    return addresses.get(0);
  }

  /** Where it listens, with the real ports: the first, and the others in their order. */
  public List<InetSocketAddress> addresses() {
    return List.copyOf(addresses);
  }

  public RpcMetrics metrics() {
    return metrics;
  }

  /** What each user costs, those who have cost most lately first. */
  public List<UserLoad> userLoads() {
    return host.costs().loads(host.nanoTime());
  }

  /**
   * Changes how much time of a network thread is much for a user, while the server serves.
   *
   * @param limitMs as {@link FairnessOptions#limitMs}, above 0
   */
  public void setFairnessLimitMs(long limitMs) {
    host.costs().setLimitMs(limitMs);
  }

  /** Bytes that the server holds for its clients now. */
  long heldBytes() {
    return host.memory().usedBytes();
  }

  /** Closes what is idle now. */
  void sweepIdle() {
    host.sweepIdle();
  }

  /**
   * Stops listening, reads no more requests, gives the calls under way {@code closeGraceMs} to be
   * answered, then closes all connections and ends all threads. A method that does not end even
   * when interrupted is left behind. Calling it again does nothing.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    listeners.forEach(listener -> listener.close().awaitUninterruptibly(THREADS_END_MS));
    Set<RpcConnection> connections = host.close();
    boolean interrupted = drain(connections);
    connections.forEach(RpcConnection::close);
    workers.shutdownNow();
    workersApart.shutdownNow();
    network.shutdownGracefully(0, options.closeGraceMs(), TimeUnit.MILLISECONDS);
    if (networkApart != null) {
      networkApart.shutdownGracefully(0, options.closeGraceMs(), TimeUnit.MILLISECONDS);
    }
    try {
      boolean ended =
          workers.awaitTermination(THREADS_END_MS, TimeUnit.MILLISECONDS)
              & workersApart.awaitTermination(THREADS_END_MS, TimeUnit.MILLISECONDS)
              & network.awaitTermination(THREADS_END_MS, TimeUnit.MILLISECONDS)
              & (networkApart == null
                  || networkApart.awaitTermination(THREADS_END_MS, TimeUnit.MILLISECONDS));
      LOG.info("RPC server closed: address={} threadsEnded={}", options.bindAddress(), ended);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean drain(Set<RpcConnection> connections) {
    CompletableFuture<?>[] drained =
        connections.stream().map(RpcConnection::drain).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(drained).get(options.closeGraceMs(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.info(
          "Calls cut off: address={} connections={}", options.bindAddress(), connections.size());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // they never fail
    } catch (InterruptedException e) {
      return true;
    }
    return false;
  }
}
