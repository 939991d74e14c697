package io.acaciafs.blocks.settings;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * What the configuration says of repair, with HDFS's names, defaults and meanings, in groups.
 *
 * @param intervalMs between two rounds of repair
 * @param maxSilenceForDeleteMs a surplus replica on a node silent for longer goes first
 * @param exchangeIntervalMs between two words of a NameNode to the others of the same store
 */
public record RepairSettings(
    long intervalMs,
    CopySettings copies,
    LeavingSettings leaving,
    int maxCorruptFileBlocks,
    long maxSilenceForDeleteMs,
    long exchangeIntervalMs) {

  public static RepairSettings of(Configuration conf) {
    return new RepairSettings(
        conf.getTimeDuration(
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY,
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS),
        CopySettings.of(conf),
        LeavingSettings.of(conf),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAX_CORRUPT_FILE_BLOCKS_RETURNED_KEY,
            DFSConfigKeys.DFS_NAMENODE_MAX_CORRUPT_FILE_BLOCKS_RETURNED_DEFAULT),
        BlockSettings.heartbeatMs(conf)
            * conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_TOLERATE_HEARTBEAT_MULTIPLIER_KEY,
                DFSConfigKeys.DFS_NAMENODE_TOLERATE_HEARTBEAT_MULTIPLIER_DEFAULT),
        BlockConfigKeys.EXCHANGE_INTERVAL.in(conf::getTrimmed));
  }
}
