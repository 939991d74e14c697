package io.acaciafs.bench.client;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** How sockets are served: by epoll where it is to be had, else by NIO. */
public record Transport(
    IoHandlerFactory handlers,
    Class<? extends Channel> channel,
    Class<? extends ServerChannel> serverChannel) {

  /** The cheapest of this machine. */
  public static Transport best() {
    return Epoll.isAvailable()
        ? new Transport(
            EpollIoHandler.newFactory(), EpollSocketChannel.class, EpollServerSocketChannel.class)
        : new Transport(
            NioIoHandler.newFactory(), NioSocketChannel.class, NioServerSocketChannel.class);
  }
}
