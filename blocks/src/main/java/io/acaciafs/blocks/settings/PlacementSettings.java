package io.acaciafs.blocks.settings;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * Which storages get the replicas of new blocks.
 *
 * @param firstHeartbeatMs how long after the start DataNodes may be known and not yet heard of
 * @param avoidsStale stale nodes are targets only when there are not enough others
 * @param maxStaleRatio beyond this part of stale nodes they are targets like all
 * @param considersLoad nodes with more than {@code loadFactor} times the average load are no
 *     targets
 * @param prefersLocalNode the first replica goes to the writer's own node
 * @param minBlocks a storage is a target when it has room for so many blocks
 */
public record PlacementSettings(
    long firstHeartbeatMs,
    boolean avoidsStale,
    float maxStaleRatio,
    boolean considersLoad,
    double loadFactor,
    boolean prefersLocalNode,
    int minBlocks) {
  private static final long HEARTBEATS_AFTER_START = 3;

  static PlacementSettings of(Configuration conf, long heartbeatMs) {
    return new PlacementSettings(
        HEARTBEATS_AFTER_START * heartbeatMs,
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_WRITE_KEY,
            DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_WRITE_DEFAULT),
        conf.getFloat(
            DFSConfigKeys.DFS_NAMENODE_USE_STALE_DATANODE_FOR_WRITE_RATIO_KEY,
            DFSConfigKeys.DFS_NAMENODE_USE_STALE_DATANODE_FOR_WRITE_RATIO_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY,
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_DEFAULT),
        conf.getDouble(
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_FACTOR,
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_FACTOR_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_KEY,
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_DEFAULT),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_MIN_BLOCKS_FOR_WRITE_KEY,
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_MIN_BLOCKS_FOR_WRITE_DEFAULT));
  }
}
