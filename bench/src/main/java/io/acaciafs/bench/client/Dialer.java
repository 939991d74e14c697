package io.acaciafs.bench.client;

import io.acaciafs.bench.sasl.Credentials;
import io.acaciafs.bench.sasl.SaslLogin;
import io.acaciafs.rpc.options.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * Opens connections to one server, on which calls may be made at once. Any thread.
 *
 * @param credentials of all clients
 */
record Dialer(InetSocketAddress server, Transport transport, Credentials credentials) {
  private static final int CONNECT_LIMIT_MS = 10_000;

  /**
   * Opens one.
   *
   * @param calls will make calls on it
   * @return completed on the network thread when the server knows the client; fails with
   *     IOException
   */
  CompletableFuture<Channel> dial(EventLoop loop, Identity identity, Connection calls) {
    SaslLogin login = credentials.login();
    CompletableFuture<Void> established = new CompletableFuture<>();
    CompletableFuture<Channel> connected = new CompletableFuture<>();
    new Bootstrap()
        .group(loop)
        .channel(transport.channel())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_LIMIT_MS)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                if (login != null) {
                  channel.pipeline().addLast(new SaslHandshake(login, established));
                }
                channel.pipeline().addLast(calls);
                connected.complete(channel);
              }
            })
        .connect(server)
        .addListener(
            done -> {
              if (!done.isSuccess()) {
                established.completeExceptionally(
                    new IOException(
                        "No NameNode answers at " + server + ": " + done.cause().getMessage(),
                        done.cause()));
              } else if (login == null) {
                established.complete(null);
              }
            });
    return established.thenCombine(
        connected,
        (known, channel) -> {
          byte[] greeting = login == null ? identity.greeting() : identity.context();
          channel.writeAndFlush(channel.alloc().buffer(greeting.length).writeBytes(greeting));
          return channel;
        });
  }
}
