package io.acaciafs.namenode.settings;

import io.acaciafs.kv.Store;
import io.acaciafs.rpc.options.RpcConfigKeys;
import io.acaciafs.rpc.options.RpcServerOptions;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtilClient;

/** What the RPC server is told of the site: addresses and threads. Stateless. */
public final class RpcConfig {
  /** Where every call waits for the network. */
  private static final int WAITING_WORKER_THREADS_DEFAULT = 512;

  private RpcConfig() {}

  /**
   * Where to listen: the address that clients use, on dfs.namenode.rpc-bind-host if that is set.
   */
  public static RpcServerOptions server(Configuration conf, Store.Traits store) {
    InetSocketAddress address = DFSUtilClient.getNNAddress(conf);
    String bindHost = conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_RPC_BIND_HOST_KEY);
    if (bindHost != null && !bindHost.isEmpty()) {
      address = new InetSocketAddress(bindHost, address.getPort());
    }
    RpcServerOptions options = RpcServerOptions.from(conf);
    int workers = RpcConfigKeys.WORKER_THREADS.in(conf::getTrimmed, WAITING_WORKER_THREADS_DEFAULT);
    return options.toBuilder()
        .mayWait(!store.localReads())
        .workerThreads(store.localReads() ? options.threads().workerThreads() : workers)
        .bindAddress(address)
        .moreAddresses(moreRpcAddresses(conf, address.getHostString()))
        .build();
  }

  /** What HDFS has servers of their own for; here each port serves all. */
  private static List<InetSocketAddress> moreRpcAddresses(Configuration conf, String rpcHost) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    addServer(
        addresses,
        conf,
        DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY,
        DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_BIND_HOST_KEY);
    addServer(
        addresses,
        conf,
        DFSConfigKeys.DFS_NAMENODE_LIFELINE_RPC_ADDRESS_KEY,
        DFSConfigKeys.DFS_NAMENODE_LIFELINE_RPC_BIND_HOST_KEY);
    for (int port : conf.getInts(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_AUXILIARY_KEY)) {
      addresses.add(new InetSocketAddress(rpcHost, port));
    }
    return addresses;
  }

  private static void addServer(
      List<InetSocketAddress> addresses, Configuration conf, String addressKey, String hostKey) {
    String named = conf.getTrimmed(addressKey, "");
    if (!named.isEmpty()) {
      InetSocketAddress address = DFSUtilClient.getNNAddress(named);
      String bindHost = conf.getTrimmed(hostKey, "");
      addresses.add(
          bindHost.isEmpty() ? address : new InetSocketAddress(bindHost, address.getPort()));
    }
  }

  /**
   * By what name a DataNode finds this NameNode that is told of it by a client: as the site's own
   * configuration calls it, but with the port that it really has.
   *
   * @return {@code host:port}, or the name of the nameservice
   */
  public static String addressForDataNodes(Configuration conf, InetSocketAddress bound) {
    URI site = FileSystem.getDefaultUri(conf);
    return HAUtilClient.isLogicalUri(conf, site)
        ? site.getAuthority()
        : DFSUtilClient.getNNAddress(conf).getHostString() + ":" + bound.getPort();
  }
}
