package io.acaciafs.blocks.settings;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * What the configuration says, with HDFS's names, defaults and meanings, in groups; {@link
 * BlockConfigKeys} has those that HDFS does not have.
 *
 * @param minReplication replicas that a block needs to be complete
 * @param recoveryTimeoutMs after this time without word of it, a block's recovery is begun again
 */
public record BlockSettings(
    int minReplication,
    long recoveryTimeoutMs,
    RegistrationSettings registration,
    LivenessSettings liveness,
    PlacementSettings placement,
    DeletionSettings deletion,
    ReportSettings reports) {

  private static final long HEARTBEATS_OF_A_RECOVERY = 30;

  public static BlockSettings of(Configuration conf) {
    long heartbeatMs = heartbeatMs(conf);
    return new BlockSettings(
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT),
        HEARTBEATS_OF_A_RECOVERY * heartbeatMs,
        RegistrationSettings.of(conf),
        LivenessSettings.of(conf, heartbeatMs),
        PlacementSettings.of(conf, heartbeatMs),
        DeletionSettings.of(conf, heartbeatMs),
        ReportSettings.of(conf));
  }

  /** The interval of DataNodes' heartbeats. */
  static long heartbeatMs(Configuration conf) {
    return conf.getTimeDuration(
        DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
        DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT,
        TimeUnit.SECONDS,
        TimeUnit.MILLISECONDS);
  }
}
