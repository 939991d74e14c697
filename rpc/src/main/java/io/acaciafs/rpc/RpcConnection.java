package io.acaciafs.rpc;

import io.acaciafs.rpc.codec.BadFrameException;
import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.ReplyEncoder;
import io.acaciafs.rpc.codec.RpcFailure;
import io.acaciafs.rpc.limit.ConnectionMemory;
import io.acaciafs.rpc.limit.UserCost;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: bytes in, calls, bytes out, and the flow between them.
 *
 * <p>All state belongs to the channel's network thread, which is another one after a {@linkplain
 * #moveIfWanted move}; {@link #answered}, {@link #failed} and {@link #execute} may be called by any
 * thread. Replies of one read are flushed together, and so are replies that come together from
 * other threads ({@link LoopReplies}).
 *
 * <p>Requests are read only while all of these hold: calls in flight are below their limit, the
 * client takes its replies, there is {@linkplain ConnectionMemory memory}, and no caller
 * {@linkplain #hold holds} the connection. At most one read buffer of further bytes waits. After a
 * short turn the thread serves its other connections.
 */
final class RpcConnection extends ChannelInboundHandlerAdapter implements ConnectionMemory.Holder {
  private static final Logger LOG = LoggerFactory.getLogger(RpcConnection.class);

  /** How long a refused client may take to read why. */
  private static final long LINGER_MS = 1000;

  /** How long a client may leave its replies unread. */
  private static final long STALLED_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** The longest turn of a connection before the thread serves others. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private enum Phase {
    /** Requests come. */
    OPEN,
    /** Answers what is under way, reads no more. */
    DRAINING,
    /** Was told a fatal failure; what still comes is thrown away. */
    CLOSING
  }

  private final ConnectionHost host;
  private final RequestReader requests;
  private final Queue<ByteBuf> unread = new ArrayDeque<>();
  private final ConnectionMemory.Share memory;
  private final CallsInFlight calls;
  private final ReplyBatch batch = new ReplyBatch(this);
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private ChannelHandlerContext context;
  private LoopReplies loop;
  private Phase phase = Phase.OPEN;
  private boolean held;
  private boolean processing;
  private boolean reading;
  private boolean unflushed;
  private boolean flushComes;
  private Runnable afterFlush;
  private boolean waitsForMemory;
  private boolean waitsForTurn;
  private boolean unsentWatched;
  private long callNanos;
  private long openedNanos;
  private long lastReadNanos;
  private long lastTakenNanos;
  private long writtenBytes;
  private long takenBytes;
  private InetSocketAddress clientAddress;
  private UserCost cost;
  private boolean apart;
  private boolean moving;
  private boolean moveComes;

  RpcConnection(ConnectionHost host) {
    this.host = host;
    this.memory = host.memory().share(this);
    this.calls = new CallsInFlight(this, memory);
    this.requests = new RequestReader(this, host, memory);
  }

  // ---- What calls and setup need ----

  /** It is known now who calls. */
  void belongsTo(UserGroupInformation user) {
    cost = host.costs().of(user.getShortUserName(), host.nanoTime());
    moveIfWanted(); // before it costs anything here
  }

  /**
   * A call has a caller context, whose account pays from now on where contexts have any. But a
   * connection that is apart for one context stays there with all others until that one is not
   * costly any more: it cannot be in two places.
   */
  void worksFor(UserGroupInformation user, String callerContext) {
    if (host.options().fairness().byContext() && !cost.isIsolated()) {
      cost = host.costs().of(user.getShortUserName() + " " + callerContext, host.nanoTime());
    }
  }

  /** The user pays for the time since {@code beginNanos}. Any thread, once he is known. */
  void charge(long beginNanos) {
    long nowNanos = host.nanoTime();
    host.costs().charge(cost, nowNanos - beginNanos, nowNanos);
  }

  /** The server's clock. */
  long nanoTime() {
    return host.nanoTime();
  }

  /** Whether it is on a network thread for users who cost much. */
  boolean isIsolated() {
    return apart;
  }

  InetSocketAddress clientAddress() {
    return clientAddress;
  }

  /** The protocol that the client named when it connected, or null. */
  String protocolName() {
    return requests.protocolName();
  }

  /** Where it matters for which protocol a client connects, it may call methods of no other. */
  boolean mayCall(String protocol) {
    return host.options().connectionPolicy() == null || protocol.equals(protocolName());
  }

  ByteBufAllocator allocator() {
    return context.alloc();
  }

  /** Whether nobody waits for replies any more. */
  boolean isGone() {
    return !context.channel().isActive();
  }

  /** Runs a task on the network thread; drops it if the server is closed. */
  void execute(Runnable task) {
    try {
      hand(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("Network thread has ended: client={}", clientAddress);
    }
  }

  private void hand(Runnable task) {
    context.channel().eventLoop().execute(() -> runHome(task));
  }

  /**
   * Runs what is left to do for a call on the network thread. The user pays for that, and for the
   * time since this was called or the last of it was run: as where a worker waits for him. Refuses
   * tasks when nobody waits for the call any more.
   */
  Executor chargingExecutor() {
    long[] lastNanos = {host.nanoTime()};
    return task -> {
      if (isGone()) {
        throw new RejectedExecutionException("The client is gone");
      }
      hand(
          () -> {
            task.run();
            charge(lastNanos[0]);
            lastNanos[0] = host.nanoTime();
          });
    };
  }

  /** It may have moved to another network thread meanwhile. */
  private void runHome(Runnable task) {
    if (context.channel().eventLoop().inEventLoop()) {
      task.run();
    } else {
      execute(task);
    }
  }

  /** Stops processing requests until {@link #unhold}. */
  void hold() {
    held = true;
  }

  void unhold() {
    held = false;
    resume();
  }

  /** Sends bytes with the next flush. */
  void write(ByteBuf bytes) {
    unflushed = true;
    writtenBytes += bytes.readableBytes();
    context.write(bytes, context.voidPromise());
  }

  // ---- Calls ----

  void began(InboundCall call) {
    callNanos = call.startedNanos();
    calls.began(call.frame().length);
  }

  /** Answers a call that never came to a method. */
  void refuse(RpcRequestHeaderProto header, Throwable failure) {
    LOG.debug("Call refused: client={} callId={}", clientAddress, header.getCallId(), failure);
    send(CallIds.of(header), RpcFailure.of(failure, host.options().terseExceptions()));
  }

  /** The call has its reply. Any thread. */
  void answered(InboundCall call, Message message) {
    call.served().ended(call, message, null);
    calls.deliver(call, message, null);
  }

  /**
   * The call has a reply that is encoded already. Network thread, while the call is dispatched.
   *
   * @param offset where in the bytes the message begins; it goes to their end
   */
  void answered(InboundCall call, byte[] bytes, int offset) {
    call.served().ended(call, null, null);
    calls.endedAtOnce(call);
    if (!isDeaf()) {
      unflushed = true;
      batch.add(call.ids(), bytes, offset);
    }
  }

  /** The call has failed. Any thread. */
  void failed(InboundCall call, Throwable thrown) {
    Throwable failure = RpcFailure.cause(thrown);
    call.served().ended(call, null, failure);
    call.served().logFailure(call, failure, host.options().terseExceptions());
    calls.deliver(call, null, RpcFailure.of(failure, host.options().terseExceptions()));
  }

  /** The call was turned away. Any thread. */
  void ended(InboundCall call, RpcFailure failure) {
    calls.deliver(call, null, failure);
  }

  // ---- What replies need ----

  /** Whether this thread is the connection's own and is about to flush. Any thread. */
  boolean isProcessingHere() {
    return context.channel().eventLoop().inEventLoop() && processing;
  }

  /** Whether replies are of no use any more. */
  boolean isDeaf() {
    return phase == Phase.CLOSING || isGone();
  }

  LoopReplies loop() {
    return loop;
  }

  /** Ends a call whose reply another thread has brought. */
  void end(LoopReplies.Reply reply) {
    try {
      calls.end(reply.ids, reply.requestBytes, reply.message, reply.encoded, reply.failure);
    } catch (RuntimeException | OutOfMemoryError e) {
      exceptionCaught(context, e);
    }
    flushLater();
  }

  /** Whether the client takes its replies at once. */
  boolean isListening() {
    return unsentBytes() < ConnectionMemory.GRAIN_BYTES;
  }

  /** Runs a task when what has been answered is on its way; of several the last one. */
  void afterFlush(Runnable task) {
    afterFlush = task;
  }

  /** Sends the replies, and makes use of the room for new calls. */
  void flushNow() {
    flushComes = false;
    if (cost == null) {
      flush();
    } else {
      long beginNanos = host.nanoTime();
      flush();
      charge(beginNanos);
      letOthersGo();
      moveIfWanted();
    }
    if (phase == Phase.DRAINING && calls.count() == 0) {
      finishDraining();
    }
    resume();
    if (afterFlush != null) {
      execute(afterFlush); // when those that wait to be flushed have been
      afterFlush = null;
    }
  }

  /** Sends a reply with the next flush. */
  void send(CallIds ids, Message message) {
    unflushed = true;
    batch.add(ids, message);
  }

  void send(CallIds ids, RpcFailure failure) {
    if (failure.fatal()) {
      fail(ids, failure);
    } else {
      write(ReplyEncoder.failure(allocator(), ids, failure));
    }
  }

  // ---- Bytes in ----

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    loop = host.repliesOf(ctx.channel().eventLoop());
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    clientAddress = (InetSocketAddress) ctx.channel().remoteAddress();
    openedNanos = host.nanoTime();
    lastReadNanos = openedNanos;
    lastTakenNanos = openedNanos;
    if (!host.opened(this)) {
      ctx.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    host.closed(this);
    releaseUnread();
    batch.release();
    memory.close();
    drained.complete(null);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    reading = true;
    lastReadNanos = host.nanoTime();
    if (phase != Phase.OPEN) {
      in.release();
      return;
    }
    unread.add(in);
    process(lastReadNanos);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    reading = false;
    if (unflushed) {
      flushLater();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable()) {
      execute(this::resume); // not from within the flush that has made room
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("Connection broke: client={}", clientAddress, cause);
    } else {
      host.refusals().failed(clientAddress, cause);
    }
    ctx.close();
  }

  /** What the network thread did for this connection has failed. */
  void broke(Throwable cause) {
    exceptionCaught(context, cause);
  }

  /** Goes on with what was left unread. */
  private void resume() {
    if (processing || phase != Phase.OPEN) {
      return;
    }
    process(host.nanoTime());
    if (!reading && unflushed) {
      flushLater();
    }
  }

  private void flushLater() {
    if (!flushComes) {
      flushComes = true;
      loop.flushLater(this);
    }
  }

  private void flush() {
    batch.write();
    unflushed = false;
    context.flush();
    countUnsent();
  }

  private void countUnsent() {
    long bytes = unsentBytes();
    memory.replies(bytes);
    if (bytes >= ConnectionMemory.GRAIN_BYTES && !unsentWatched) {
      unsentWatched = true;
      context
          .writeAndFlush(Unpooled.EMPTY_BUFFER) // behind all of it
          .addListener(
              sent -> {
                unsentWatched = false;
                if (sent.isSuccess()) {
                  countUnsent();
                }
              });
    }
  }

  /** Of replies that the kernel has not taken yet, as the client has not. */
  private long unsentBytes() {
    ChannelOutboundBuffer unsent = context.channel().unsafe().outboundBuffer();
    return unsent == null ? 0 : unsent.totalPendingWriteBytes();
  }

  private void process(long beginNanos) {
    if (cost != null) {
      moveIfWanted();
    }
    if (unread.isEmpty()) {
      setReading(phase == Phase.CLOSING || mayProcess());
      return;
    }
    processing = true;
    try {
      takeTurn();
    } catch (BadFrameException e) {
      closeWithoutWord(e.getMessage());
    } catch (Throwable t) {
      exceptionCaught(context, t); // also when not called by the pipeline
    } finally {
      processing = false;
    }
    if (cost != null) {
      charge(beginNanos);
      letOthersGo();
    }
    if (phase == Phase.CLOSING) {
      releaseUnread();
    }
    setReading(phase == Phase.CLOSING || mayProcess());
  }

  private void takeTurn() throws BadFrameException {
    long firstNanos = 0;
    while (!unread.isEmpty() && mayProcess()) {
      ByteBuf in = unread.peek();
      if (requests.step(in, lastReadNanos)) {
        firstNanos = firstNanos == 0 ? callNanos : firstNanos;
        if (callNanos - firstNanos > TURN_NANOS) {
          waitsForTurn = true;
          // A timer, as tasks would come before what others have sent meanwhile.
          context
              .channel()
              .eventLoop()
              .schedule(() -> runHome(this::nextTurn), 0, TimeUnit.NANOSECONDS);
        }
      } else if (in.isReadable()) {
        waitsForMemory = true;
      } else {
        unread.remove().release();
      }
    }
  }

  private void nextTurn() {
    waitsForTurn = false;
    resume();
  }

  @Override
  public void mayGoOn() {
    execute(
        () -> {
          waitsForMemory = false;
          resume();
        });
  }

  @Override
  public void evicted() {
    execute(
        () -> {
          String text =
              RpcFailure.TOO_BUSY
                  + ": requests that have not come whole and replies that are not taken use up the"
                  + " memory for them, and of those of this connection there are most for longest";
          if (isListening()) {
            fail(CallIds.outOfBand(-1), RpcFailure.tooBusy(RpcStatusProto.FATAL, text));
          } else {
            closeWithoutWord("does not take its replies, and the memory for them is used up");
          }
        });
  }

  private void closeWithoutWord(String reason) {
    if (!isGone()) {
      host.refusals().closed(clientAddress, reason);
      host.refused();
      phase = Phase.CLOSING;
      context.close();
    }
  }

  private boolean mayProcess() {
    if (held
        || moving
        || waitsForMemory
        || waitsForTurn
        || (calls.count() > 0 && host.memory().isFull())
        || phase != Phase.OPEN
        || calls.count() >= host.options().maxCallsInFlight()) {
      return false;
    }
    if (!context.channel().isWritable()) {
      flush(); // perhaps the replies have only not been sent yet
    }
    return context.channel().isWritable();
  }

  private void setReading(boolean wanted) {
    if (context.channel().config().isAutoRead() != wanted) {
      context.channel().config().setAutoRead(wanted);
    }
  }

  // ---- Between network threads ----

  /** Where processors are few, other users' threads do not wait longer than for one of us. */
  private void letOthersGo() {
    if (apart) {
      Thread.yield();
    }
  }

  /**
   * Moves the connection to the network threads of its user's group. It moves only when no call is
   * under way and no task of this thread refers to it. Unread replies move along; requests wait
   * meanwhile.
   */
  private void moveIfWanted() {
    if (!moving && cost.isIsolated() == apart) {
      return;
    }
    moving = phase == Phase.OPEN && !held && host.canMove();
    if (moving) {
      setReading(false);
      if (calls.count() == 0 && !moveComes) {
        moveComes = true;
        execute(this::move);
      }
    }
  }

  /** A task of its own: the other thread may go on with the connection before this ends. */
  private void move() {
    moveComes = false;
    if (!moving || flushComes || phase != Phase.OPEN || isGone() || calls.count() > 0) {
      return;
    }
    if (unflushed) {
      flush();
    }
    Channel channel = context.channel();
    EventLoop destination = host.networkThread(!apart);
    channel
        .deregister()
        .addListener(
            left -> {
              if (left.isSuccess()) {
                destination.register(channel).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
              } else {
                channel.close();
              }
            });
  }

  @Override
  public void channelRegistered(ChannelHandlerContext ctx) {
    loop = host.repliesOf(ctx.channel().eventLoop());
    if (moving) {
      moving = false;
      apart = !apart;
      host.moved();
      execute(this::arrived); // once the channel is all there
    }
  }

  private void arrived() {
    context.flush(); // the old thread waited for room in the kernel, this one does not yet
    resume();
  }

  // ---- The end ----

  /** Tells the client a fatal failure and closes. */
  void fail(CallIds ids, RpcFailure failure) {
    closeAfter(ReplyEncoder.failure(allocator(), ids, failure), firstLine(failure.errorMsg()));
  }

  /**
   * Closes our direction first and reads on for a while: closing with bytes unread would make the
   * kernel reset the connection and take the reply away from the client.
   */
  void closeAfter(ByteBuf reply, String reason) {
    if (phase == Phase.CLOSING) {
      reply.release();
      return;
    }
    host.refusals().refused(clientAddress, reason);
    host.refused();
    phase = Phase.CLOSING;
    if (!processing) {
      releaseUnread();
    }
    setReading(true);
    batch.write();
    context
        .writeAndFlush(reply)
        .addListener(
            sent ->
                ((DuplexChannel) context.channel())
                    .shutdownOutput()
                    .addListener(ChannelFutureListener.CLOSE_ON_FAILURE));
    context.channel().eventLoop().schedule(() -> context.close(), LINGER_MS, TimeUnit.MILLISECONDS);
  }

  /**
   * Reads no more and answers what is under way. Any thread.
   *
   * @return completes when the last reply is sent or the connection is gone
   */
  CompletableFuture<Void> drain() {
    execute(
        () -> {
          if (phase != Phase.CLOSING) {
            phase = Phase.DRAINING;
            releaseUnread();
            setReading(false);
          }
          if (calls.count() == 0) {
            finishDraining();
          }
        });
    return drained;
  }

  private void finishDraining() {
    batch.write();
    context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> drained.complete(null));
  }

  /** Closes at once. Any thread. */
  void close() {
    context.close();
  }

  /**
   * Closes the connection if it is idle, if the client has not named its user in time, if an
   * incomplete request makes no progress, or if the client reads no replies. Any thread.
   *
   * @param tooMany whether idle clients that have said who they are shall go, too
   */
  void closeIfIdle(long nowNanos, boolean tooMany) {
    execute(
        () -> {
          String reason = idleReason(nowNanos, tooMany);
          if (reason != null) {
            LOG.debug("Connection closed: client={} reason={}", clientAddress, reason);
            context.close();
          }
        });
  }

  private String idleReason(long nowNanos, boolean tooMany) {
    long idleNanos = TimeUnit.MILLISECONDS.toNanos(host.options().idleTimeoutMs());
    long unsentBytes = unsentBytes();
    if (unsentBytes == 0 || writtenBytes - unsentBytes > takenBytes) {
      takenBytes = writtenBytes - unsentBytes;
      lastTakenNanos = nowNanos;
    }
    if (nowNanos - lastTakenNanos > STALLED_NANOS) {
      return "takes no replies";
    }
    if (requests.user() == null && !held && nowNanos - openedNanos > idleNanos) {
      return "has not named its user";
    }
    if (nowNanos - lastReadNanos <= idleNanos) {
      return null;
    }
    if (requests.isWithinRequest() && context.channel().config().isAutoRead()) {
      return "a request does not go on";
    }
    return tooMany && calls.count() == 0 && unsentBytes == 0 ? "idle" : null;
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  private void releaseUnread() {
    for (ByteBuf in = unread.poll(); in != null; in = unread.poll()) {
      in.release();
    }
  }
}
