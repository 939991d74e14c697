package io.acaciafs.rpc;

import io.acaciafs.rpc.call.CallDispatcher;
import io.acaciafs.rpc.call.ReplyCache;
import io.acaciafs.rpc.call.WorkerPools;
import io.acaciafs.rpc.connection.ConnectionHost;
import io.acaciafs.rpc.connection.EventLoops;
import io.acaciafs.rpc.connection.RpcConnection;
import io.acaciafs.rpc.limit.UserLoad;
import io.acaciafs.rpc.method.MethodRegistry;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.metrics.SlowCalls;
import io.acaciafs.rpc.options.CallOptions;
import io.acaciafs.rpc.options.FairnessOptions;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.options.Transport;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
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

  /**
   * What the kernel keeps of the replies that a client does not read; it doubles the number.
   * Without one it keeps 4 MiB for each connection, beside the memory budget, and the server goes
   * on with the next requests until they are full.
   */
  private static final int SEND_BUFFER_BYTES = 256 << 10;

  private final RpcServerOptions options;
  private final RpcMetrics metrics;
  private final WorkerPools workers;
  private final EventLoops loops;
  private final CallDispatcher dispatcher;
  private final ConnectionHost host;
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
    workers = new WorkerPools(options.threads());
    metrics = new RpcMetrics(workers::queuedTasks);
    dispatcher =
        new CallDispatcher(
            options, registry(protocols, listeners), workers, newReplyCache(), metrics);
    loops = EventLoops.start(options, transport);
    host = new ConnectionHost(options, dispatcher, workers, loops, metrics, nanoClock);
  }

  private MethodRegistry registry(List<RpcProtocol> protocols, CallListener.Provider listeners) {
    List<RpcProtocol> served = new ArrayList<>(protocols);
    served.add(ProtocolMetaInfo.about(protocols));
    CallOptions calls = options.calls();
    SlowCalls slowCalls =
        calls.slowCallLog() ? new SlowCalls(calls.slowCallThresholdMs(), metrics) : null;
    return new MethodRegistry(served, metrics, listeners, slowCalls);
  }

  private ReplyCache newReplyCache() {
    return new ReplyCache(options.calls().replyCacheBytes());
  }

  /**
   * Serves other protocols to the calls that come from now on; connections stay, and calls that are
   * under way end as they began.
   *
   * @param stateIds numbers the states of the data that replies rest on, for clients that read from
   *     several servers and must not go back in time: each reply tells the last one, and each call
   *     what its client has seen ({@link RpcCall#stateId}). Asked when a call has ended, so it
   *     covers all that its reply tells; 0 is not told. Quick, on any thread. Source: HDFS 3.5's
   *     AlignmentContext
   * @throws IllegalArgumentException if a version of a protocol is given twice
   */
  public void serve(
      List<RpcProtocol> protocols, CallListener.Provider listeners, LongSupplier stateIds) {
    dispatcher.serve(registry(protocols, listeners), newReplyCache(), stateIds);
  }

  /**
   * Starts a server; it serves when this returns. Besides the protocols it serves the one by which
   * clients ask which versions there are.
   *
   * @throws IOException if the address cannot be bound, or if Hadoop is configured for security and
   *     the options have no authentication, which would be a promise that is not kept
   * @throws IllegalArgumentException if a version of a protocol is given twice
   * @throws IllegalStateException if this machine does not have the transport that is asked for
   */
  public static RpcServer start(RpcServerOptions options, List<RpcProtocol> protocols)
      throws IOException {
    return start(options, protocols, CallListener.Provider.NONE);
  }

  /** The same, with listeners for calls that end. */
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
    if (UserGroupInformation.isSecurityEnabled() && options.authentication() == null) {
      throw new IOException(
          "hadoop.security.authentication asks for more than simple, and nothing checks clients");
    }
    Transport transport = Transport.of(options.threads().transport());
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
    int highWater = options.connections().replyHighWaterBytes();
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops.shared())
            .channel(transport.serverChannel())
            .option(ChannelOption.SO_BACKLOG, options.listen().backlog())
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, false)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(highWater / 2, highWater))
            .childHandler(connections(false));
    bind(bootstrap, options.listen().address());
    for (InetSocketAddress more : options.listen().moreAddresses()) {
      bind(bootstrap, more);
    }
    ServerBootstrap auxiliary = bootstrap.clone().childHandler(connections(true));
    for (InetSocketAddress address : options.listen().auxiliaryAddresses()) {
      bind(auxiliary, address);
    }
    long idleTimeoutMs = options.connections().idleTimeoutMs();
    if (idleTimeoutMs > 0) {
      long periodMs = Math.max(SHORTEST_SWEEP_MS, idleTimeoutMs / 2);
      listeners
          .get(0)
          .eventLoop()
          .scheduleWithFixedDelay(this::closeIdle, periodMs, periodMs, TimeUnit.MILLISECONDS);
    }
  }

  private ChannelInitializer<Channel> connections(boolean isAuxiliary) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new RpcConnection(host, channel, isAuxiliary));
      }
    };
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

  /** What each user costs, those with the highest recent cost first. */
  public List<UserLoad> userLoads() {
    return host.userLoads();
  }

  /**
   * Changes when a user is isolated, while the server serves.
   *
   * @param limitMs as {@link FairnessOptions#limitMs}, above 0
   */
  public void setFairnessLimitMs(long limitMs) {
    host.setFairnessLimitMs(limitMs);
  }

  /** Bytes that the server holds for its clients now. */
  long heldBytes() {
    return host.usedMemoryBytes();
  }

  /** Closes the connections that are idle now. */
  void closeIdle() {
    host.closeIdle();
  }

  /**
   * Stops listening, reads no more requests, gives the calls in flight {@code closeGraceMs} to end,
   * then closes all connections and ends all threads. It does not wait for a method that goes on
   * although its thread was interrupted. Calling it again does nothing.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    listeners.forEach(listener -> listener.close().awaitUninterruptibly(THREADS_END_MS));
    boolean interrupted = drain();
    host.close();
    workers.shutdownNow();
    loops.shutdown(options.calls().closeGraceMs());
    try {
      boolean ended =
          workers.awaitTermination(THREADS_END_MS) & loops.awaitTermination(THREADS_END_MS);
      LOG.info("RPC server closed: address={} threadsEnded={}", options.listen().address(), ended);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether the thread was interrupted. */
  private boolean drain() {
    try {
      host.drain().get(options.calls().closeGraceMs(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.info(
          "Calls cut off: address={} connections={}",
          options.listen().address(),
          host.openConnections());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // draining never fails
    } catch (InterruptedException e) {
      return true;
    }
    return false;
  }
}
