package io.acaciafs.blocks.settings;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * How many full block reports come at a time, and how many readers wait for what is in none yet.
 *
 * @param maxLeases full reports at a time
 * @param leaseMs how long a DataNode may take for one
 * @param maxWaiters for replicas
 * @param intervalMs how often DataNodes make one, unless they are asked
 */
public record ReportSettings(int maxLeases, long leaseMs, int maxWaiters, long intervalMs) {

  static ReportSettings of(Configuration conf) {
    return new ReportSettings(
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAX_FULL_BLOCK_REPORT_LEASES,
            DFSConfigKeys.DFS_NAMENODE_MAX_FULL_BLOCK_REPORT_LEASES_DEFAULT),
        conf.getLong(
            DFSConfigKeys.DFS_NAMENODE_FULL_BLOCK_REPORT_LEASE_LENGTH_MS,
            DFSConfigKeys.DFS_NAMENODE_FULL_BLOCK_REPORT_LEASE_LENGTH_MS_DEFAULT),
        BlockConfigKeys.MAX_WAITERS_FOR_REPLICAS.in(conf::getTrimmed),
        conf.getLong(
            DFSConfigKeys.DFS_BLOCKREPORT_INTERVAL_MSEC_KEY,
            DFSConfigKeys.DFS_BLOCKREPORT_INTERVAL_MSEC_DEFAULT));
  }
}
