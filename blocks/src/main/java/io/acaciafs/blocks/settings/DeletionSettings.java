package io.acaciafs.blocks.settings;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * How DataNodes are told to delete replicas.
 *
 * @param limit replicas to delete that one heartbeat carries at most
 * @param resendMs after this time without word of it, a deletion is asked for again
 * @param delayMs how long after its start the NameNode deletes no replica
 */
public record DeletionSettings(int limit, long resendMs, long delayMs) {

  static DeletionSettings of(Configuration conf, long heartbeatMs) {
    return new DeletionSettings(
        limit(conf, heartbeatMs),
        BlockConfigKeys.INVALIDATE_RESEND_INTERVAL.in(conf::getTrimmed),
        conf.getTimeDuration(
            DFSConfigKeys.DFS_NAMENODE_STARTUP_DELAY_BLOCK_DELETION_SEC_KEY,
            DFSConfigKeys.DFS_NAMENODE_STARTUP_DELAY_BLOCK_DELETION_SEC_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS));
  }

  /** HDFS: at least twenty a second of the heartbeat's interval. */
  private static int limit(Configuration conf, long heartbeatMs) {
    return Math.max(
        (int) (20 * heartbeatMs / 1000),
        conf.getInt(
            DFSConfigKeys.DFS_BLOCK_INVALIDATE_LIMIT_KEY,
            DFSConfigKeys.DFS_BLOCK_INVALIDATE_LIMIT_DEFAULT));
  }
}
