package io.acaciafs.blocks.settings;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * What the configuration says, with HDFS's names, defaults and meanings; {@link BlockConfigKeys}
 * has those that HDFS does not have.
 *
 * @param minReplication replicas that a block needs to be complete
 * @param invalidateLimit replicas to delete that one heartbeat carries at most
 * @param invalidateResendMs after this time without word of it, a deletion is asked for again
 * @param staleMs silence after which a DataNode is stale
 * @param deadMs silence after which a DataNode is dead
 * @param firstHeartbeatMs how long after the start DataNodes may be known and not yet heard of
 * @param recoveryTimeoutMs after this time without word of it, a block's recovery is begun again
 * @param avoidStaleForWrite stale nodes are targets only when there are not enough others
 * @param maxStaleRatioForWrite beyond this part of stale nodes they are targets like all
 * @param minDatanodeVersion DataNodes of older software are refused
 * @param heartbeatMs interval of DataNodes' heartbeats
 * @param considerLoad nodes with more than {@code loadFactor} times the average load are no targets
 * @param prefersLocalNode the first replica goes to the writer's own node
 * @param minBlocksForWrite a storage is a target when it has room for so many blocks
 * @param checksNames whether the NameNode refuses a DataNode whose address has no host name
 * @param deletionDelayMs how long after its start the NameNode deletes no replica
 */
public record BlockSettings(
    int minReplication,
    int invalidateLimit,
    long invalidateResendMs,
    long heartbeatMs,
    long staleMs,
    long deadMs,
    long firstHeartbeatMs,
    long recoveryTimeoutMs,
    String minDatanodeVersion,
    boolean avoidStaleForWrite,
    float maxStaleRatioForWrite,
    boolean considerLoad,
    double loadFactor,
    boolean prefersLocalNode,
    int minBlocksForWrite,
    int maxFullReportLeases,
    long fullReportLeaseMs,
    int maxWaitersForReplicas,
    boolean checksNames,
    long deletionDelayMs) {

  private static final long HEARTBEATS_TO_DEATH = 10;
  private static final long HEARTBEATS_AFTER_START = 3;
  private static final long HEARTBEATS_OF_A_RECOVERY = 30;

  public static BlockSettings of(Configuration conf) {
    long heartbeatMs =
        conf.getTimeDuration(
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS);
    long recheckMs =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_DEFAULT);
    return new BlockSettings(
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT),
        invalidateLimit(conf, heartbeatMs),
        BlockConfigKeys.INVALIDATE_RESEND_INTERVAL.in(conf::getTrimmed),
        heartbeatMs,
        staleMs(conf, heartbeatMs),
        2 * recheckMs + HEARTBEATS_TO_DEATH * heartbeatMs,
        HEARTBEATS_AFTER_START * heartbeatMs,
        HEARTBEATS_OF_A_RECOVERY * heartbeatMs,
        conf.getTrimmed(
            DFSConfigKeys.DFS_NAMENODE_MIN_SUPPORTED_DATANODE_VERSION_KEY,
            DFSConfigKeys.DFS_NAMENODE_MIN_SUPPORTED_DATANODE_VERSION_DEFAULT),
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
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_MIN_BLOCKS_FOR_WRITE_DEFAULT),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAX_FULL_BLOCK_REPORT_LEASES,
            DFSConfigKeys.DFS_NAMENODE_MAX_FULL_BLOCK_REPORT_LEASES_DEFAULT),
        conf.getLong(
            DFSConfigKeys.DFS_NAMENODE_FULL_BLOCK_REPORT_LEASE_LENGTH_MS,
            DFSConfigKeys.DFS_NAMENODE_FULL_BLOCK_REPORT_LEASE_LENGTH_MS_DEFAULT),
        BlockConfigKeys.MAX_WAITERS_FOR_REPLICAS.in(conf::getTrimmed),
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_DATANODE_REGISTRATION_IP_HOSTNAME_CHECK_KEY,
            DFSConfigKeys.DFS_NAMENODE_DATANODE_REGISTRATION_IP_HOSTNAME_CHECK_DEFAULT),
        conf.getTimeDuration(
            DFSConfigKeys.DFS_NAMENODE_STARTUP_DELAY_BLOCK_DELETION_SEC_KEY,
            DFSConfigKeys.DFS_NAMENODE_STARTUP_DELAY_BLOCK_DELETION_SEC_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS));
  }

  /** HDFS: at least twenty a second of the heartbeat's interval. */
  private static int invalidateLimit(Configuration conf, long heartbeatMs) {
    return Math.max(
        (int) (20 * heartbeatMs / 1000),
        conf.getInt(
            DFSConfigKeys.DFS_BLOCK_INVALIDATE_LIMIT_KEY,
            DFSConfigKeys.DFS_BLOCK_INVALIDATE_LIMIT_DEFAULT));
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
