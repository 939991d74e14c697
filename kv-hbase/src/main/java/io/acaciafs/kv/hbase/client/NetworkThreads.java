package io.acaciafs.kv.hbase.client;

import java.util.concurrent.ThreadFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.epoll.Epoll;
import org.apache.hbase.thirdparty.io.netty.channel.epoll.EpollEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.epoll.EpollSocketChannel;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The threads {@code hbase-io-1-N} on which answers of HBase come, for all connections of the
 * process as long as it lives. HBase's client by itself takes two for each processor, each of which
 * is woken for its few connections, and does without epoll.
 */
final class NetworkThreads {
  private static final int PROCESSORS_OF_ONE = 2;

  private NetworkThreads() {}

  /** Made when the first connection needs them. */
  private static final class Group {
    private static final EventLoopGroup THREADS = start();

    private static EventLoopGroup start() {
      int count = Math.max(1, Runtime.getRuntime().availableProcessors() / PROCESSORS_OF_ONE);
      ThreadFactory daemons = new DefaultThreadFactory("hbase-io", true);
      return Epoll.isAvailable()
          ? new EpollEventLoopGroup(count, daemons)
          : new NioEventLoopGroup(count, daemons);
    }
  }

  /** Has a client use them. */
  static void use(Configuration conf) {
    NettyRpcClientConfigHelper.setEventLoopConfig(
        conf,
        Group.THREADS,
        Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class);
  }
}
