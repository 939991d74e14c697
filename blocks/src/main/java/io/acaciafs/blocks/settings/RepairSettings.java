package io.acaciafs.blocks.settings;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * What the configuration says of repair, with HDFS's names, defaults and meanings.
 *
 * @param intervalMs between two rounds of repair
 * @param workMultiplier copies that one round asks for, a live DataNode
 * @param maxStreams copies that one DataNode sends at a time
 * @param maxStreamsHardLimit the same for blocks at highest risk and for nodes that leave
 * @param pendingTimeoutMs how long an expected replica is waited for
 * @param maintenanceMinReplication live replicas that a block needs beside those in maintenance
 * @param defaultReplication enough to let a node go
 * @param maxSilenceForDeleteMs a surplus replica on a node silent for longer goes first
 * @param exchangeIntervalMs between two words of a NameNode to the others of the same store
 */
public record RepairSettings(
    long intervalMs,
    int workMultiplier,
    int maxStreams,
    int maxStreamsHardLimit,
    long pendingTimeoutMs,
    int maintenanceMinReplication,
    int defaultReplication,
    long decommissionIntervalMs,
    int decommissionBlocksPerInterval,
    int maxCorruptFileBlocks,
    long maxSilenceForDeleteMs,
    long exchangeIntervalMs) {

  public static RepairSettings of(Configuration conf) {
    long heartbeatMs =
        conf.getTimeDuration(
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS);
    return new RepairSettings(
        conf.getTimeDuration(
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY,
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS),
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
            TimeUnit.MILLISECONDS),
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
            DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_BLOCKS_PER_INTERVAL_DEFAULT),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAX_CORRUPT_FILE_BLOCKS_RETURNED_KEY,
            DFSConfigKeys.DFS_NAMENODE_MAX_CORRUPT_FILE_BLOCKS_RETURNED_DEFAULT),
        heartbeatMs
            * conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_TOLERATE_HEARTBEAT_MULTIPLIER_KEY,
                DFSConfigKeys.DFS_NAMENODE_TOLERATE_HEARTBEAT_MULTIPLIER_DEFAULT),
        BlockConfigKeys.EXCHANGE_INTERVAL.in(conf::getTrimmed));
  }
}
