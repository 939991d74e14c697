package io.acaciafs.namenode.admin;

import io.acaciafs.namenode.monitor.DiskSpace;
import io.acaciafs.namenode.monitor.replication.ReplicationHealth;
import org.apache.hadoop.ha.HealthCheckFailedException;
import org.jspecify.annotations.Nullable;

/** Of a NameNode that stands by: its place among the others, and its disk. */
public final class StandbyHealth implements ServiceHealth {
  private final ReplicationHealth replication;
  private final DiskSpace disk;

  public StandbyHealth(ReplicationHealth replication, DiskSpace disk) {
    this.replication = replication;
    this.disk = disk;
  }

  @Override
  public void check() throws HealthCheckFailedException {
    if (!disk.isAvailable()) {
      throw new HealthCheckFailedException(LeaderHealth.NO_SPACE);
    }
    String problem = replication.problem();
    if (problem != null) {
      throw new HealthCheckFailedException(problem);
    }
  }

  @Override
  public @Nullable String obstacle() {
    String problem = replication.problem();
    return problem == null ? replication.lag() : problem;
  }
}
