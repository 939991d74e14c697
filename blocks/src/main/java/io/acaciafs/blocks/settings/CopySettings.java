package io.acaciafs.blocks.settings;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * How many replicas are copied at a time.
 *
 * @param workMultiplier copies that one round asks for, a live DataNode
 * @param maxStreams copies that one DataNode sends at a time
 * @param maxStreamsHardLimit the same for blocks at highest risk and for nodes that leave
 * @param pendingTimeoutMs how long an expected replica is waited for
 */
public record CopySettings(
    int workMultiplier, int maxStreams, int maxStreamsHardLimit, long pendingTimeoutMs) {

  static CopySettings of(Configuration conf) {
    return new CopySettings(
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION_DEFAULT),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_DEFAULT),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_DEFAULT),
        conf.getTimeDuration(
            DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY,
            DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS));
  }
}
