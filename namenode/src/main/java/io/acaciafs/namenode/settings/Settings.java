package io.acaciafs.namenode.settings;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HAUtil;

/** What concerns the NameNode as a whole. docs/configuration.md lists all settings. Stateless. */
public final class Settings {
  public static final String CLUSTER_ID = "acacia.cluster.id";
  private static final String SWEEP_INTERVAL = "acacia.sweep.interval";
  private static final long SWEEP_INTERVAL_MS_DEFAULT = 1000;
  private static final String MEMBER_LEASE = "acacia.namenode.lease";
  private static final long MEMBER_LEASE_MS_DEFAULT = 10_000;

  private Settings() {}

  /**
   * The settings of this NameNode, where those of all NameNodes of a nameservice stand in one file:
   * dfs.namenode.rpc-address.SERVICE.ID and others become dfs.namenode.rpc-address, as in HDFS.
   * Which one it is says dfs.ha.namenode.id, or which address is this machine's.
   */
  public static Configuration ofThisNameNode(Configuration all) {
    if (all.getTrimmed(DFSConfigKeys.DFS_NAMESERVICES, "").isEmpty()) {
      return all;
    }
    Configuration own = new Configuration(all);
    String service = DFSUtil.getNamenodeNameServiceId(own);
    String id = HAUtil.isHAEnabled(own, service) ? HAUtil.getNameNodeId(own, service) : null;
    org.apache.hadoop.hdfs.server.namenode.NameNode.initializeGenericKeys(own, service, id);
    return own;
  }

  public static long sweepIntervalMs(Configuration conf) {
    return conf.getTimeDuration(SWEEP_INTERVAL, SWEEP_INTERVAL_MS_DEFAULT, TimeUnit.MILLISECONDS);
  }

  public static long leaseRecheckIntervalMs(Configuration conf) {
    return conf.getLong(
        DFSConfigKeys.DFS_NAMENODE_LEASE_RECHECK_INTERVAL_MS_KEY,
        DFSConfigKeys.DFS_NAMENODE_LEASE_RECHECK_INTERVAL_MS_DEFAULT);
  }

  /** After what time of silence the other NameNodes take one for dead. */
  public static long memberLeaseMs(Configuration conf) {
    return conf.getTimeDuration(MEMBER_LEASE, MEMBER_LEASE_MS_DEFAULT, TimeUnit.MILLISECONDS);
  }
}
