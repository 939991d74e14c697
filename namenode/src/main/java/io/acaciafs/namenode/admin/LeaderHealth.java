package io.acaciafs.namenode.admin;

import io.acaciafs.blocks.safemode.SafeMode;
import io.acaciafs.namenode.monitor.DiskSpace;
import io.acaciafs.namenode.monitor.StoreHealth;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HealthCheckFailedException;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.jspecify.annotations.Nullable;

/** Of a NameNode that serves. Source of HDFS's texts: HDFS 3.5's NameNode. */
public final class LeaderHealth implements ServiceHealth {
  static final String NO_SPACE = "The NameNode has no resources available";

  private final StoreHealth store;
  private final DiskSpace disk;
  private final BooleanSupplier isUnhealthyByMode;

  /**
   * @param isUnhealthyByMode whether it is in a safe mode that the site takes for an illness
   */
  LeaderHealth(StoreHealth store, DiskSpace disk, BooleanSupplier isUnhealthyByMode) {
    this.store = store;
    this.disk = disk;
    this.isUnhealthyByMode = isUnhealthyByMode;
  }

  public static LeaderHealth of(
      Configuration conf, StoreHealth store, DiskSpace disk, SafeMode safeMode) {
    boolean isIllness =
        conf.getBoolean(
            DFSConfigKeys.DFS_HA_NN_NOT_BECOME_ACTIVE_IN_SAFEMODE,
            DFSConfigKeys.DFS_HA_NN_NOT_BECOME_ACTIVE_IN_SAFEMODE_DEFAULT);
    return new LeaderHealth(store, disk, () -> isIllness && safeMode.isOn());
  }

  @Override
  public void check() throws HealthCheckFailedException {
    String problem = store.problem();
    if (problem != null) {
      throw new HealthCheckFailedException(problem);
    }
    if (!disk.isAvailable()) {
      throw new HealthCheckFailedException(NO_SPACE);
    }
    if (isUnhealthyByMode.getAsBoolean()) {
      throw new HealthCheckFailedException(
          "The NameNode is configured to report UNHEALTHY to ZKFC in Safemode.");
    }
  }

  @Override
  public @Nullable String obstacle() {
    return null;
  }
}
