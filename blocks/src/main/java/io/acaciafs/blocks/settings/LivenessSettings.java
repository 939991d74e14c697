package io.acaciafs.blocks.settings;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * When a DataNode counts as alive.
 *
 * @param heartbeatMs interval of DataNodes' heartbeats
 * @param staleMs silence after which a DataNode is stale
 * @param deadMs silence after which a DataNode is dead
 */
public record LivenessSettings(long heartbeatMs, long staleMs, long deadMs) {
  private static final long HEARTBEATS_TO_DEATH = 10;

  static LivenessSettings of(Configuration conf, long heartbeatMs) {
    long recheckMs =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_DEFAULT);
    return new LivenessSettings(
        heartbeatMs, staleMs(conf, heartbeatMs), 2 * recheckMs + HEARTBEATS_TO_DEATH * heartbeatMs);
  }

  /** HDFS: never below a few heartbeats. */
  private static long staleMs(Configuration conf, long heartbeatMs) {
    long leastMs =
        heartbeatMs
            * conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_MINIMUM_INTERVAL_KEY,
                DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_MINIMUM_INTERVAL_DEFAULT);
    return Math.max(
        leastMs,
        conf.getLong(
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT));
  }
}
