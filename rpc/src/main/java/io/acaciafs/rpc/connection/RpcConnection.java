package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.call.CallConnection;
import io.acaciafs.rpc.call.WorkerPools;
import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.ReplyEncoder;
import io.acaciafs.rpc.codec.RpcFailure;
import io.acaciafs.rpc.limit.ConnectionMemory;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.security.sasl.SaslServer;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection. It passes the events of its channel, of its calls and of the server to
 * its parts: {@link Inbound} processes requests while {@link FlowControl} allows it, {@link
 * Outbound} sends replies, {@link Lifecycle} knows the phase, {@link Migration} moves the
 * connection between network threads.
 *
 * <p>All parts belong to the channel's network thread. The methods that say "any thread" hand over
 * to it. A reply that is ready while its request is processed is written at once; replies from
 * other threads go through the {@link EventLoopReplies} of the network thread.
 */
public final class RpcConnection extends ChannelInboundHandlerAdapter
    implements CallConnection,
        ConnectionMemory.Holder,
        OpenConnections.Member,
        EventLoopReplies.Target,
        SaslSetup.Owner {
  private static final Logger LOG = LoggerFactory.getLogger(RpcConnection.class);

  private static final String EVICTED =
      RpcFailure.TOO_BUSY
          + ": incomplete requests and unread replies use up the memory for them, and this"
          + " connection holds most of it for longest";

  private final ConnectionHost host;
  private final ConnectionChannel channel;
  private final ConnectionMemory.Share memory;
  private final ConnectionAccount account;
  private final CallsInFlight calls;
  private final Outbound outbound;
  private final Lifecycle lifecycle;
  private final Migration migration;
  private final ConnectionSetup setup;
  private final UnreadBytes unread = new UnreadBytes();
  private final RequestReader requests;
  private final Inbound inbound;
  private final IdleCheck idle;
  private final boolean isAuxiliary;
  private final SaslSetup sasl;

  /** Whether the client is a server of the cluster; known once the set-up is complete. */
  private boolean isService;

  private @Nullable Runnable afterFlush;

  /**
   * @param isAuxiliary whether the client came to an auxiliary address
   */
  public RpcConnection(ConnectionHost host, Channel socket, boolean isAuxiliary) {
    this.host = host;
    this.isAuxiliary = isAuxiliary;
    channel = new ConnectionChannel(socket);
    memory = host.memory().share(this);
    account = new ConnectionAccount(host);
    calls = new CallsInFlight(memory);
    outbound = new Outbound(channel, memory, this, host.calls()::lastStateId);
    lifecycle = new Lifecycle(host, channel, unread, outbound, this::provedUser);
    migration = new Migration(host, channel, lifecycle, calls, outbound);
    FlowControl flow = new FlowControl(host, channel, lifecycle, calls, outbound, migration);
    sasl = new SaslSetup(host, channel, lifecycle, outbound, this);
    setup = new ConnectionSetup(host, channel, lifecycle, outbound, sasl, this::accepted);
    requests = new RequestReader(this, host, lifecycle, setup, memory);
    inbound = new Inbound(host.loops(), channel, lifecycle, flow, requests, unread, this::resume);
    idle = new IdleCheck(host, channel, lifecycle, inbound, outbound, calls);
  }

  private @Nullable UserGroupInformation provedUser() {
    return setup.provedUser();
  }

  // ---- Events of the channel ----

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    outbound.useLoop(host.loops().repliesOf(channel.eventLoop()));
  }

  @Override
  public void channelRegistered(ChannelHandlerContext ctx) {
    outbound.useLoop(host.loops().repliesOf(channel.eventLoop()));
    if (migration.arrived()) {
      channel.execute(this::continueHere); // once the channel is registered completely
    }
  }

  /** The last thread waited until the kernel could take replies; this one does not yet. */
  private void continueHere() {
    channel.flush();
    resume();
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    long nowNanos = host.nanoTime();
    channel.connected();
    inbound.opened(nowNanos);
    outbound.opened(nowNanos);
    idle.opened(nowNanos);
    if (!host.open().opened(this)) {
      channel.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    host.open().closed(this);
    lifecycle.closed();
    setup.close();
    requests.close();
    memory.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    long nowNanos = host.nanoTime();
    if (inbound.add((ByteBuf) message, nowNanos)) {
      process(nowNanos);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    outbound.scheduleFlushIfDue();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (channel.isWritable()) {
      inbound.resumeInTurn(); // not from within the flush that has made room
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    lifecycle.broken(cause);
  }

  // ---- Requests ----

  /** Processes the requests that had to wait. */
  private void resume() {
    if (!inbound.isProcessing() && lifecycle.phase().isOpen()) {
      process(host.nanoTime());
      outbound.scheduleFlushIfDue();
    }
  }

  private void process(long beginNanos) {
    checkMigration();
    if (inbound.process() && account.isOpen()) {
      inbound.hadTurn(account.charge(beginNanos));
      checkMigration(); // if the client reads nothing, no flush may follow that would check
      migration.yieldIfIsolated();
    }
    inbound.updateReading();
  }

  private void checkMigration() {
    if (account.isOpen()) {
      migration.check(lane());
    }
  }

  private Lane lane() {
    if (isService) {
      return Lane.SERVICE;
    }
    return account.isIsolated() ? Lane.ISOLATED : Lane.SHARED;
  }

  @Override
  public void authenticated() {
    resume();
  }

  @Override
  public void protectBy(SaslServer protection) {
    outbound.flush(); // the client reads the last word of the exchange as it is
    channel.putBeforeSocket(new WrappedReplies(protection));
    requests.unwrapBy(new WrappedRequests(protection, unread, host.memory(), this));
  }

  /** The set-up is complete. */
  private void accepted(UserGroupInformation user) {
    account.open(user);
    isService = host.options().threads().isService(setup.protocolName());
    checkMigration(); // before the first call costs anything on this thread
    resume();
  }

  // ---- Calls ----

  @Override
  public InetSocketAddress clientAddress() {
    return channel.connectedAddress();
  }

  @Override
  public @Nullable String auxiliaryPortQop() {
    return isAuxiliary ? sasl.quality() : null;
  }

  @Override
  public @Nullable String protocolName() {
    return setup.protocolName();
  }

  @Override
  public boolean isForOneProtocol() {
    return isService || host.options().connectionPolicy() != null;
  }

  @Override
  public boolean isGone() {
    return channel.isClosed();
  }

  @Override
  public boolean isIsolated() {
    return migration.isIsolated();
  }

  @Override
  public boolean isProcessingHere() {
    return channel.isNetworkThread() && inbound.isProcessing();
  }

  @Override
  public boolean takesReplies() {
    return outbound.takesReplies();
  }

  @Override
  public void began(int requestBytes, long startedNanos) {
    inbound.began(startedNanos);
    calls.began(requestBytes);
  }

  @Override
  public void end(
      CallIds ids, int requestBytes, @Nullable Message message, @Nullable RpcFailure failure) {
    if (isProcessingHere()) {
      send(ids, requestBytes, message, null, failure);
      return;
    }
    // A worker has time to encode; a thread that completes futures may be busy for all.
    ByteBuf encoded =
        message != null && WorkerPools.isWorker()
            ? ReplyEncoder.success(channel.allocator(), ids, outbound.stateId(ids), message)
            : null;
    outbound
        .loop()
        .add(new EventLoopReplies.Reply(this, ids, requestBytes, message, encoded, failure));
  }

  @Override
  public void endEncoded(CallIds ids, int requestBytes, byte[] bytes, int offset) {
    calls.ended(requestBytes);
    if (!lifecycle.isDeaf()) {
      outbound.send(ids, bytes, offset);
    }
  }

  @Override
  public void end(EventLoopReplies.Reply reply) {
    try {
      send(reply.ids, reply.requestBytes, reply.message, reply.encoded, reply.failure);
    } catch (RuntimeException | OutOfMemoryError e) {
      lifecycle.broken(e);
    }
    outbound.scheduleFlush();
  }

  private void send(
      CallIds ids,
      int requestBytes,
      @Nullable Message message,
      @Nullable ByteBuf encoded,
      @Nullable RpcFailure failure) {
    calls.ended(requestBytes);
    if (lifecycle.isDeaf()) {
      if (encoded != null) {
        encoded.release();
      }
    } else if (failure != null) {
      send(ids, failure);
    } else if (encoded != null) {
      outbound.write(encoded);
    } else {
      outbound.send(ids, Objects.requireNonNull(message, "no failure: there is a message"));
    }
  }

  private void send(CallIds ids, RpcFailure failure) {
    if (failure.fatal()) {
      lifecycle.fail(ids, failure);
    } else {
      outbound.send(ids, failure);
    }
  }

  @Override
  public void refuse(CallIds ids, RpcFailure failure) {
    LOG.debug("Call refused: client={} call={} failure={}", channel.clientAddress(), ids, failure);
    send(ids, failure);
  }

  @Override
  public void afterFlush(Runnable task) {
    afterFlush = task;
  }

  @Override
  public void flushNow() {
    long beginNanos = host.nanoTime();
    outbound.flushAsScheduled();
    if (account.isOpen()) {
      account.charge(beginNanos);
      migration.yieldIfIsolated();
    }
    checkMigration();
    if (lifecycle.phase() == Phase.DRAINING && calls.count() == 0) {
      lifecycle.finishDraining();
    }
    resume();
    if (afterFlush != null) {
      channel.execute(afterFlush); // when the other connections of this thread are flushed
      afterFlush = null;
    }
  }

  // ---- The user's account ----

  @Override
  public long nanoTime() {
    return host.nanoTime();
  }

  @Override
  public void charge(long beginNanos) {
    account.charge(beginNanos);
  }

  @Override
  public void chargeContext(UserGroupInformation user, String callerContext) {
    account.useContext(user, callerContext);
  }

  @Override
  public Executor chargingExecutor() {
    return account.executor(channel);
  }

  // ---- The memory budget ----

  @Override
  public void memoryFreed() {
    channel.execute(
        () -> {
          inbound.memoryFreed();
          resume();
        });
  }

  @Override
  public void evicted() {
    channel.execute(
        () -> {
          if (outbound.takesReplies()) {
            lifecycle.fail(
                CallIds.outOfBand(-1), RpcFailure.tooBusy(RpcStatusProto.FATAL, EVICTED));
          } else {
            lifecycle.closeSilently(
                "does not take its replies, and the memory for them is used up");
          }
        });
  }

  // ---- The server ----

  @Override
  public void broken(Throwable cause) {
    lifecycle.broken(cause);
  }

  @Override
  public void closeIfIdle(long nowNanos, boolean tooMany) {
    channel.execute(
        () -> {
          String reason = idle.reason(nowNanos, tooMany);
          if (reason != null) {
            LOG.debug("Connection closed: client={} reason={}", channel.clientAddress(), reason);
            channel.close();
          }
        });
  }

  @Override
  public CompletableFuture<Void> drain() {
    channel.execute(
        () -> {
          lifecycle.beginDraining();
          if (calls.count() == 0) {
            lifecycle.finishDraining();
          }
        });
    return lifecycle.drained();
  }

  @Override
  public void close() {
    channel.close();
  }
}
