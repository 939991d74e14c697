package io.acaciafs.rpc.testkit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DuplexChannel;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Function;

/** A connection without a socket. Its output can be shut down by itself, as that of a socket. */
public final class MemoryChannel extends EmbeddedChannel implements DuplexChannel {
  private static final InetSocketAddress CLIENT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 50000);

  private static final InetSocketAddress SERVER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 8020);

  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);
  private boolean outputEnded;

  /**
   * @param handler makes the handler of the channel
   */
  public MemoryChannel(Function<Channel, ChannelHandler> handler) {
    config().setAllocator(memory);
    freezeTime();
    pipeline().addLast(handler.apply(this));
    pipeline().fireChannelActive();
  }

  @Override
  protected SocketAddress localAddress0() {
    return SERVER;
  }

  @Override
  protected SocketAddress remoteAddress0() {
    return CLIENT;
  }

  /** Everything that was sent so far. */
  public byte[] sent() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (ByteBuf part = readOutbound(); part != null; part = readOutbound()) {
      byte[] bytes = new byte[part.readableBytes()];
      part.readBytes(bytes);
      all.writeBytes(bytes);
      part.release();
    }
    return all.toByteArray();
  }

  /** Of buffers that nobody has released. */
  public long usedBytes() {
    return memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory();
  }

  @Override
  public boolean isOutputShutdown() {
    return outputEnded;
  }

  @Override
  public ChannelFuture shutdownOutput() {
    return shutdownOutput(newPromise());
  }

  @Override
  public ChannelFuture shutdownOutput(ChannelPromise promise) {
    outputEnded = true;
    return promise.setSuccess();
  }

  @Override
  public boolean isInputShutdown() {
    return !isActive();
  }

  @Override
  public ChannelFuture shutdownInput() {
    return shutdownInput(newPromise());
  }

  @Override
  public ChannelFuture shutdownInput(ChannelPromise promise) {
    return promise.setFailure(new UnsupportedOperationException());
  }

  @Override
  public boolean isShutdown() {
    return isInputShutdown() && isOutputShutdown();
  }

  @Override
  public ChannelFuture shutdown() {
    return shutdown(newPromise());
  }

  @Override
  public ChannelFuture shutdown(ChannelPromise promise) {
    return promise.setFailure(new UnsupportedOperationException());
  }
}
