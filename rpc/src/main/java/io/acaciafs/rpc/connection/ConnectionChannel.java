package io.acaciafs.rpc.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket of one connection, and the network thread that it belongs to, which changes when the
 * connection moves. Methods are for that thread unless they say "any thread".
 */
final class ConnectionChannel {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionChannel.class);

  private final Channel channel;
  private @Nullable InetSocketAddress clientAddress;

  ConnectionChannel(Channel channel) {
    this.channel = channel;
  }

  // ---- Threads ----

  /** Whether the current thread is the connection's network thread. Any thread. */
  boolean isNetworkThread() {
    return channel.eventLoop().inEventLoop();
  }

  EventLoop eventLoop() {
    return channel.eventLoop();
  }

  /** Runs a task on the network thread, or drops it if the server is closed. Any thread. */
  void execute(Runnable task) {
    try {
      executeOrReject(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("Network thread has ended: client={}", clientAddress);
    }
  }

  /**
   * Runs a task on the network thread. Any thread.
   *
   * @throws RejectedExecutionException if the server is closed
   */
  void executeOrReject(Runnable task) {
    channel.eventLoop().execute(() -> runOnNetworkThread(task));
  }

  /** Runs a task on the network thread after this time. */
  void schedule(Runnable task, long delayNanos) {
    channel.eventLoop().schedule(() -> runOnNetworkThread(task), delayNanos, TimeUnit.NANOSECONDS);
  }

  /**
   * Runs a task on the network thread in its turn. For that thread.
   *
   * @param isNewcomer whether the connection had no turn yet
   */
  void executeInTurn(EventLoops loops, Runnable task, boolean isNewcomer) {
    loops.turnsOf(channel.eventLoop()).add(() -> runOnNetworkThread(task), isNewcomer);
  }

  /** The connection may have moved while the task waited. */
  private void runOnNetworkThread(Runnable task) {
    if (isNetworkThread()) {
      task.run();
    } else {
      execute(task);
    }
  }

  /** Moves the channel to another network thread; closes it if that fails. */
  void moveTo(EventLoop destination) {
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

  // ---- The socket ----

  /** The socket is connected. */
  void connected() {
    clientAddress = (InetSocketAddress) channel.remoteAddress();
  }

  /** Where the client is; null before the socket is connected. Any thread. */
  @Nullable InetSocketAddress clientAddress() {
    return clientAddress;
  }

  /** Where the client is that has sent something. Any thread. */
  InetSocketAddress connectedAddress() {
    return Objects.requireNonNull(clientAddress, "the socket is connected");
  }

  /** The port that the client has come to. Any thread. */
  int serverPort() {
    return ((InetSocketAddress) channel.localAddress()).getPort();
  }

  /** All that is written from now on goes through this. */
  void putBeforeSocket(ChannelOutboundHandler handler) {
    channel.pipeline().addFirst(handler);
  }

  /** Whether the socket is closed. Any thread. */
  boolean isClosed() {
    return !channel.isActive();
  }

  /** Any thread. */
  ByteBufAllocator allocator() {
    return channel.alloc();
  }

  boolean isReading() {
    return channel.config().isAutoRead();
  }

  void setReading(boolean wanted) {
    if (channel.config().isAutoRead() != wanted) {
      channel.config().setAutoRead(wanted);
    }
  }

  /** Sends bytes with the next flush. */
  void write(ByteBuf bytes) {
    channel.write(bytes, channel.voidPromise());
  }

  /** Sends bytes now; the future ends when the kernel has them. */
  ChannelFuture writeAndFlush(ByteBuf bytes) {
    return channel.writeAndFlush(bytes);
  }

  /** A future that ends when the kernel has everything that was written so far. */
  ChannelFuture flushAll() {
    return channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
  }

  void flush() {
    channel.flush();
  }

  /** Whether the bytes that the kernel has not taken yet are below the high-water mark. */
  boolean isWritable() {
    return channel.isWritable();
  }

  /** Bytes that the kernel has not taken yet, because the client does not read them. */
  long unsentBytes() {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    return unsent == null ? 0 : unsent.totalPendingWriteBytes();
  }

  /** Closes the server's direction alone. */
  void closeOutput() {
    ((DuplexChannel) channel).shutdownOutput().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  /** Any thread. */
  void close() {
    channel.close();
  }
}
