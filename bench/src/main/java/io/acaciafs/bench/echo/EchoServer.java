package io.acaciafs.bench.echo;

import io.acaciafs.rpc.options.Transport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A server that answers every call of the load generator with the same bytes: what is left of a
 * call when a server has nothing to do for it. Serves from {@link #start} to {@link #close} on
 * threads {@code echo-N}.
 */
public final class EchoServer implements AutoCloseable {
  private static final long CLOSE_LIMIT_MS = 5000;

  private final EventLoopGroup network;
  private final Channel listener;
  private final ChannelGroup connections;

  private EchoServer(EventLoopGroup network, Channel listener, ChannelGroup connections) {
    this.network = network;
    this.listener = listener;
    this.connections = connections;
  }

  /**
   * Starts one.
   *
   * @param messageBytes of the reply's message, at least one
   * @throws IOException when the address cannot be bound
   */
  public static EchoServer start(InetSocketAddress address, int messageBytes, int threads)
      throws IOException {
    Transport transport = Transport.of(Transport.Kind.AUTO);
    CannedReply reply = new CannedReply(messageBytes);
    ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    EventLoopGroup network =
        new MultiThreadIoEventLoopGroup(
            threads, new DefaultThreadFactory("echo", true), transport.handlers());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(network)
            .channel(transport.serverChannel())
            .option(ChannelOption.SO_BACKLOG, 1024)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    channel.pipeline().addLast(new EchoConnection(reply));
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      network.shutdownGracefully(0, CLOSE_LIMIT_MS, TimeUnit.MILLISECONDS);
      throw new IOException(
          "Cannot listen at " + address + ": " + bound.cause().getMessage(), bound.cause());
    }
    return new EchoServer(network, bound.channel(), connections);
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  @Override
  public void close() {
    listener.close().awaitUninterruptibly(CLOSE_LIMIT_MS);
    connections.close().awaitUninterruptibly(CLOSE_LIMIT_MS);
    network
        .shutdownGracefully(0, CLOSE_LIMIT_MS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(CLOSE_LIMIT_MS);
  }
}
