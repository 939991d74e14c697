package io.acaciafs.rpc;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;

/** How sockets are served: by epoll where it is to be had, else by NIO. */
record Transport(String name, IoHandlerFactory handlers, Class<? extends ServerChannel> channel) {

  static Transport best() {
    return Epoll.isAvailable()
        ? new Transport("epoll", EpollIoHandler.newFactory(), EpollServerSocketChannel.class)
        : nio();
  }

  static Transport nio() {
    return new Transport("nio", NioIoHandler.newFactory(), NioServerSocketChannel.class);
  }
}
