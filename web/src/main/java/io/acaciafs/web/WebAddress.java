package io.acaciafs.web;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.net.NetUtils;

/** Where the server listens, as HDFS's settings say. */
final class WebAddress {
  private WebAddress() {}

  static InetSocketAddress http(Configuration conf) {
    return on(
        conf,
        conf.getTrimmed(
            DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY,
            DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_DEFAULT),
        DFSConfigKeys.DFS_NAMENODE_HTTP_BIND_HOST_KEY);
  }

  static InetSocketAddress https(Configuration conf) {
    return on(
        conf,
        conf.getTrimmed(
            DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY,
            DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_DEFAULT),
        DFSConfigKeys.DFS_NAMENODE_HTTPS_BIND_HOST_KEY);
  }

  /** The bind host takes the place of the address's own, when there is one. */
  private static InetSocketAddress on(Configuration conf, String address, String bindHostKey) {
    InetSocketAddress socket = NetUtils.createSocketAddr(address);
    String bindHost = conf.getTrimmed(bindHostKey);
    return bindHost == null || bindHost.isEmpty()
        ? socket
        : new InetSocketAddress(bindHost, socket.getPort());
  }

  /** Takes the address; who connects before the server reads waits. */
  static ServerSocketChannel listen(InetSocketAddress address, Configuration conf)
      throws IOException {
    int backlog =
        conf.getInt(
            HttpServer2.HTTP_SOCKET_BACKLOG_SIZE_KEY, HttpServer2.HTTP_SOCKET_BACKLOG_SIZE_DEFAULT);
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(address, backlog);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw new IOException(
          "Cannot listen at "
              + NetUtils.getHostPortString(address)
              + " ("
              + DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY
              + "): "
              + e.getMessage(),
          e);
    }
  }
}
