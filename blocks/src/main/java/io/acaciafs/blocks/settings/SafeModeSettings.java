package io.acaciafs.blocks.settings;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * When the NameNode starts in safe mode and how long it stays there, with HDFS's names.
 *
 * @param threshold part of all blocks that must be readable; 0, our default, asks for none:
 *     replicas are stored, so nothing is lost by serving before the DataNodes are back
 * @param adoptionThreshold the same for blocks that came without replicas, with HDFS's default
 * @param safeReplication replicas that make a block readable
 * @param minDatanodes that must be live
 * @param extensionMs how long to stay after that
 */
public record SafeModeSettings(
    float threshold,
    float adoptionThreshold,
    int safeReplication,
    int minDatanodes,
    long extensionMs,
    long recheckMs) {

  public static SafeModeSettings of(Configuration conf) {
    int minReplication =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT);
    return new SafeModeSettings(
        isSetBySite(conf, DFSConfigKeys.DFS_NAMENODE_SAFEMODE_THRESHOLD_PCT_KEY)
            ? conf.getFloat(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_THRESHOLD_PCT_KEY, 0)
            : 0,
        conf.getFloat(
            DFSConfigKeys.DFS_NAMENODE_SAFEMODE_THRESHOLD_PCT_KEY,
            DFSConfigKeys.DFS_NAMENODE_SAFEMODE_THRESHOLD_PCT_DEFAULT),
        conf.getInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_REPLICATION_MIN_KEY, minReplication),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_SAFEMODE_MIN_DATANODES_KEY,
            DFSConfigKeys.DFS_NAMENODE_SAFEMODE_MIN_DATANODES_DEFAULT),
        conf.getTimeDuration(
            DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_KEY,
            DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_DEFAULT,
            TimeUnit.MILLISECONDS),
        Math.max(
            1,
            conf.getLong(
                DFSConfigKeys.DFS_NAMENODE_SAFEMODE_RECHECK_INTERVAL_KEY,
                DFSConfigKeys.DFS_NAMENODE_SAFEMODE_RECHECK_INTERVAL_DEFAULT)));
  }

  /** Whether anything is waited for at all. */
  public boolean hasThresholds() {
    return threshold > 0 || minDatanodes > 0;
  }

  private static boolean isSetBySite(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources != null && !sources[sources.length - 1].equals("hdfs-default.xml");
  }
}
