package io.acaciafs.rpc.options;

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
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.Arrays;
import java.util.Locale;

/** The kind of sockets of a server. */
public record Transport(
    String name,
    IoHandlerFactory handlers,
    Class<? extends Channel> channel,
    Class<? extends ServerChannel> serverChannel) {

  /** The transports to choose from. */
  public enum Kind {
    /** Epoll if this machine has it, else NIO. */
    AUTO,
    /** Linux. */
    EPOLL,
    /** All operating systems. */
    NIO,
    /** Linux with a recent kernel that allows it; containers often do not. */
    IO_URING;

    /** As a configuration says it, e.g. {@code io_uring}. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether this machine has it. */
    public boolean isAvailable() {
      return switch (this) {
        case AUTO, NIO -> true;
        case IO_URING -> IoUring.isAvailable();
        case EPOLL -> Epoll.isAvailable();
      };
    }
  }

  /**
   * @throws IllegalStateException if this machine does not have it
   */
  public static Transport of(Kind kind) {
    if (!kind.isAvailable()) {
      throw new IllegalStateException(
          "No transport " + kind + " on this machine: " + unavailability(kind));
    }
    return switch (kind) {
      case AUTO ->
          Arrays.stream(Kind.values())
              .filter(each -> each != Kind.AUTO && each.isAvailable())
              .findFirst()
              .map(Transport::of)
              .orElseThrow();
      case IO_URING ->
          new Transport(
              kind.toString(),
              IoUringIoHandler.newFactory(),
              IoUringSocketChannel.class,
              IoUringServerSocketChannel.class);
      case EPOLL ->
          new Transport(
              kind.toString(),
              EpollIoHandler.newFactory(),
              EpollSocketChannel.class,
              EpollServerSocketChannel.class);
      case NIO ->
          new Transport(
              kind.toString(),
              NioIoHandler.newFactory(),
              NioSocketChannel.class,
              NioServerSocketChannel.class);
    };
  }

  /** Whether connections may move to other network threads; with io_uring a read is in flight. */
  public boolean canMove() {
    return channel != IoUringSocketChannel.class;
  }

  private static Throwable unavailability(Kind kind) {
    return kind == Kind.IO_URING ? IoUring.unavailabilityCause() : Epoll.unavailabilityCause();
  }
}
