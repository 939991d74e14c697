package io.acaciafs.blocks.datanode;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.blockmanagement.HostConfigManager;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.NetworkTopology;

/**
 * Hosts in the file of dfs.hosts without a known DataNode. They count as dead, with the DataNode
 * ports of the configuration. Safe for use by many threads.
 *
 * <p>Source: HDFS 3.5's DatanodeManager.getDatanodeListForReport.
 */
public final class UnregisteredHosts {
  private final HostConfigManager hosts;
  private final int xferPort;
  private final int infoPort;
  private final int infoSecurePort;
  private final int ipcPort;

  public UnregisteredHosts(HostConfigManager hosts, Configuration conf) {
    this.hosts = hosts;
    this.xferPort =
        port(
            conf,
            DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY,
            DFSConfigKeys.DFS_DATANODE_ADDRESS_DEFAULT);
    this.infoPort =
        port(
            conf,
            DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY,
            DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_DEFAULT);
    this.infoSecurePort =
        port(
            conf,
            DFSConfigKeys.DFS_DATANODE_HTTPS_ADDRESS_KEY,
            DFSConfigKeys.DFS_DATANODE_HTTPS_ADDRESS_DEFAULT);
    this.ipcPort =
        port(
            conf,
            DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY,
            DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_DEFAULT);
  }

  private static int port(Configuration conf, String key, String defaultAddress) {
    return NetUtils.createSocketAddr(conf.getTrimmed(key, defaultAddress)).getPort();
  }

  /** Whether the list has the DataNode, or there is no list. */
  boolean isIncluded(Datanode datanode) {
    return hosts.isIncluded(datanode.id());
  }

  /**
   * @param known DataNodes on any host
   */
  List<DatanodeInfo> of(Collection<Datanode> known) {
    Set<String> addresses = new HashSet<>();
    for (Datanode node : known) {
      addresses.add(node.id().getIpAddr() + ":0"); // without a port: every DataNode of the host
      addresses.add(node.id().getXferAddr());
    }
    List<DatanodeInfo> absent = new ArrayList<>();
    for (InetSocketAddress host : hosts.getIncludes()) {
      if (!addresses.contains(ipAddress(host) + ":" + host.getPort())) {
        absent.add(describe(host));
      }
    }
    return absent;
  }

  private DatanodeInfo describe(InetSocketAddress host) {
    DatanodeID id =
        new DatanodeID(
            ipAddress(host),
            host.getHostName(),
            "",
            host.getPort() == 0 ? xferPort : host.getPort(),
            infoPort,
            infoSecurePort,
            ipcPort);
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(id)
        .setNetworkLocation(NetworkTopology.DEFAULT_RACK)
        .setAdminState(hosts.isExcluded(id) ? AdminStates.DECOMMISSIONED : AdminStates.NORMAL)
        .build();
  }

  private static String ipAddress(InetSocketAddress host) {
    return host.isUnresolved() ? host.getHostString() : host.getAddress().getHostAddress();
  }
}
