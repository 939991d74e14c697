package io.acaciafs.namenode.settings;

import io.acaciafs.namespace.settings.NamespaceConfigKeys;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HAUtil;
import org.jspecify.annotations.Nullable;

/** What concerns the NameNode as a whole. docs/configuration.md lists all settings. Stateless. */
public final class Settings {
  private Settings() {}

  /**
   * The settings of this NameNode, where those of all NameNodes of a nameservice stand in one file:
   * dfs.namenode.rpc-address.SERVICE.ID and others become dfs.namenode.rpc-address, and that
   * address becomes fs.defaultFS, as in HDFS. Which one it is says dfs.ha.namenode.id, or which
   * address is this machine's.
   */
  public static Configuration ofThisNameNode(Configuration all) {
    Configuration own = new Configuration(all);
    String service = DFSUtil.getNamenodeNameServiceId(own);
    String id = HAUtil.isHAEnabled(own, service) ? HAUtil.getNameNodeId(own, service) : null;
    org.apache.hadoop.hdfs.server.namenode.NameNode.initializeGenericKeys(own, service, id);
    return own;
  }

  /** The id of the cluster that the folder has to be of; null: any. */
  public static @Nullable String clusterId(Configuration conf) {
    return NameNodeConfigKeys.CLUSTER_ID.in(conf::getTrimmed);
  }

  public static long sweepIntervalMs(Configuration conf) {
    return NamespaceConfigKeys.SWEEP_INTERVAL.in(conf::getTrimmed);
  }

  public static long leaseRecheckIntervalMs(Configuration conf) {
    return conf.getLong(
        DFSConfigKeys.DFS_NAMENODE_LEASE_RECHECK_INTERVAL_MS_KEY,
        DFSConfigKeys.DFS_NAMENODE_LEASE_RECHECK_INTERVAL_MS_DEFAULT);
  }

  /** After what time of silence the other NameNodes take one for dead. */
  public static long memberLeaseMs(Configuration conf) {
    return NameNodeConfigKeys.MEMBER_LEASE.in(conf::getTrimmed);
  }

  /**
   * In which folder backups for rollbacks are made.
   *
   * @param nameFolder dfs.namenode.name.dir
   */
  public static Path rollbackFolder(Configuration conf, Path nameFolder) {
    Path around = Objects.requireNonNullElse(nameFolder.getParent(), nameFolder);
    String set = NameNodeConfigKeys.ROLLBACK_FOLDER.in(conf::getTrimmed, around.toString());
    return Path.of(new org.apache.hadoop.fs.Path(set).toUri().getPath());
  }
}
