package io.acaciafs.blocks.settings;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * When a DataNode that is decommissioned or maintained may go.
 *
 * @param maintenanceMinReplication live replicas that a block needs beside those in maintenance
 * @param defaultReplication enough to let a node go
 * @param intervalMs between two looks
 * @param blocksPerInterval blocks that one look reads at most
 */
public record LeavingSettings(
    int maintenanceMinReplication, int defaultReplication, long intervalMs, int blocksPerInterval) {

  static LeavingSettings of(Configuration conf) {
    return new LeavingSettings(
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAINTENANCE_REPLICATION_MIN_KEY,
            DFSConfigKeys.DFS_NAMENODE_MAINTENANCE_REPLICATION_MIN_DEFAULT),
        conf.getInt(DFSConfigKeys.DFS_REPLICATION_KEY, DFSConfigKeys.DFS_REPLICATION_DEFAULT),
        conf.getTimeDuration(
            DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_INTERVAL_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_BLOCKS_PER_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_BLOCKS_PER_INTERVAL_DEFAULT));
  }
}
