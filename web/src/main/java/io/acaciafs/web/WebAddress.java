package io.acaciafs.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Where the server listens, as HDFS's settings say. Where they say nothing it is the host that RPC
 * listens on, and not HDFS's all of the machine's.
 */
final class WebAddress {
  private WebAddress() {}

  static InetSocketAddress http(Configuration conf) {
    return on(
        conf,
        address(
            conf,
            DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY,
            DFSConfigKeys.DFS_NAMENODE_HTTP_PORT_DEFAULT),
        DFSConfigKeys.DFS_NAMENODE_HTTP_BIND_HOST_KEY);
  }

  static InetSocketAddress https(Configuration conf) {
    return on(
        conf,
        address(
            conf,
            DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY,
            DFSConfigKeys.DFS_NAMENODE_HTTPS_PORT_DEFAULT),
        DFSConfigKeys.DFS_NAMENODE_HTTPS_BIND_HOST_KEY);
  }

  /**
   * The host of the first of the addresses: the one that _HOST of a principal stands for, so with
   * security on a number is looked up.
   */
  static String host(Configuration conf) {
    InetSocketAddress first =
        DFSUtil.getHttpPolicy(conf).isHttpEnabled() ? http(conf) : https(conf);
    return UserGroupInformation.isSecurityEnabled() ? first.getHostName() : first.getHostString();
  }

  private static String address(Configuration conf, String key, int port) {
    String ofTheSite = SiteSetting.of(conf, key);
    if (ofTheSite != null) {
      return ofTheSite;
    }
    String rpcBindHost = conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_RPC_BIND_HOST_KEY, "");
    String host =
        rpcBindHost.isEmpty() ? DFSUtilClient.getNNAddress(conf).getHostString() : rpcBindHost;
    return host + ":" + port;
  }

  /** The bind host takes the place of the address's own, when there is one. */
  private static InetSocketAddress on(Configuration conf, String address, String bindHostKey) {
    InetSocketAddress socket = NetUtils.createSocketAddr(address);
    String bindHost = conf.getTrimmed(bindHostKey);
    return bindHost == null || bindHost.isEmpty()
        ? socket
        : new InetSocketAddress(bindHost, socket.getPort());
  }

  /** By its number, as a name may stand for several, each of which would be listened on. */
  static InetSocketAddress numeric(InetSocketAddress address) throws IOException {
    if (address.isUnresolved()) {
      throw new UnknownHostException(address.getHostString());
    }
    byte[] number = address.getAddress().getAddress();
    String text = address.getAddress().getHostAddress();
    return new InetSocketAddress(InetAddress.getByAddress(text, number), address.getPort());
  }

  /**
   * Takes the address; a client that connects before the server reads waits.
   *
   * @param setting names the address to people
   */
  static ServerSocketChannel listen(InetSocketAddress address, Configuration conf, String setting)
      throws IOException {
    if (address.isUnresolved()) {
      throw new UnknownHostException(address.getHostString());
    }
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
              + setting
              + "): "
              + e.getMessage(),
          e);
    }
  }
}
