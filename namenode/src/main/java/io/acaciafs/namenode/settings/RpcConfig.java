package io.acaciafs.namenode.settings;

import io.acaciafs.kv.Store;
import io.acaciafs.rpc.options.RpcConfigKeys;
import io.acaciafs.rpc.options.RpcServerOptions;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.server.protocol.DatanodeLifelineProtocol;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;

/** What the RPC server is told of the site: addresses and threads. Stateless. */
public final class RpcConfig {
  /** Where every call waits for the network. */
  private static final int WAITING_WORKER_THREADS_DEFAULT = 512;

  private static final Set<String> DATANODE_PROTOCOLS =
      Set.of(DatanodeProtocol.class.getName(), DatanodeLifelineProtocol.class.getName());

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
    List<InetSocketAddress> more = serviceAddresses(conf);
    List<InetSocketAddress> auxiliary = auxiliaryAddresses(conf, address.getHostString());
    boolean sendsQop =
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_SEND_QOP_ENABLED,
            DFSConfigKeys.DFS_NAMENODE_SEND_QOP_ENABLED_DEFAULT);
    if (!sendsQop) {
      more.addAll(auxiliary);
    }
    int workers = RpcConfigKeys.WORKER_THREADS.in(conf::getTrimmed, WAITING_WORKER_THREADS_DEFAULT);
    return options.toBuilder()
        .mayWait(!store.localReads() || hasAttributeProvider(conf))
        .workerThreads(store.localReads() ? options.threads().workerThreads() : workers)
        .serviceProtocols(DATANODE_PROTOCOLS)
        .bindAddress(address)
        .moreAddresses(more)
        .auxiliaryAddresses(sendsQop ? auxiliary : List.of())
        .build();
  }

  /** A class of the site that decides on permissions takes as long as it likes. */
  private static boolean hasAttributeProvider(Configuration conf) {
    String key = DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY;
    return !conf.getTrimmed(key, "").isEmpty();
  }

  /** What HDFS has servers of their own for; here each port serves all. */
  private static List<InetSocketAddress> serviceAddresses(Configuration conf) {
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
    return addresses;
  }

  private static List<InetSocketAddress> auxiliaryAddresses(Configuration conf, String rpcHost) {
    return Arrays.stream(conf.getInts(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_AUXILIARY_KEY))
        .mapToObj(port -> new InetSocketAddress(rpcHost, port))
        .toList();
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
   * By what name a DataNode finds the NameNode of which a client tells it. Of several it is that of
   * their nameservice, so that the DataNode goes on with another one where this one ends.
   *
   * <p>Source: HDFS 3.5's {@code NameNodeUtils.getClientNamenodeAddress}.
   *
   * @param conf of this NameNode alone
   * @return {@code host:port} with the port that it really has, or the name of the nameservice
   */
  public static String addressForDataNodes(Configuration conf, InetSocketAddress bound) {
    String service = DFSUtil.getNamenodeNameServiceId(conf);
    return service != null && HAUtilClient.isLogicalUri(conf, URI.create("hdfs://" + service))
        ? service
        : DFSUtilClient.getNNAddress(conf).getHostString() + ":" + bound.getPort();
  }
}
