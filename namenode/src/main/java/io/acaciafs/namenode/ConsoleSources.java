package io.acaciafs.namenode;

import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.run.FailureBoard;
import io.acaciafs.namenode.members.Members;
import io.acaciafs.namenode.monitor.DiskSpace;
import io.acaciafs.namenode.monitor.Watched;
import io.acaciafs.namenode.monitor.cluster.ClusterLook;
import io.acaciafs.namenode.monitor.history.Series;
import io.acaciafs.namenode.monitor.problems.BlockChecks;
import io.acaciafs.namenode.monitor.problems.ClockChecks;
import io.acaciafs.namenode.monitor.problems.ClusterChecks;
import io.acaciafs.namenode.monitor.problems.DatanodeChecks;
import io.acaciafs.namenode.monitor.problems.DiskChecks;
import io.acaciafs.namenode.monitor.problems.LeaseChecks;
import io.acaciafs.namenode.monitor.problems.LoadChecks;
import io.acaciafs.namenode.monitor.problems.MemberChecks;
import io.acaciafs.namenode.monitor.problems.ProblemCheck;
import io.acaciafs.namenode.monitor.problems.ProcessChecks;
import io.acaciafs.namenode.monitor.problems.ReplicationChecks;
import io.acaciafs.namenode.monitor.problems.SettingChecks;
import io.acaciafs.namenode.monitor.problems.StoreChecks;
import io.acaciafs.namenode.monitor.problems.TaskChecks;
import io.acaciafs.namenode.monitor.problems.UpgradeChecks;
import io.acaciafs.namenode.process.ElapsedClock;
import io.acaciafs.namespace.lease.Leases;
import io.acaciafs.rpc.metrics.RpcMetrics;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;
import org.jspecify.annotations.Nullable;

/** What {@link Console} looks at, of a NameNode that leads and of one that stands by. Stateless. */
final class ConsoleSources {
  private static final long MIB = 1 << 20;

  private ConsoleSources() {}

  /**
   * Of one that leads, or is the only one.
   *
   * @param members that serve the same store
   * @param others what else wants to look as often
   * @param replica null where this NameNode is not one of several of which one leads
   */
  static Console.Sources ofLeader(
      Watched watched,
      Monitoring monitoring,
      DiskSpace disks,
      Leases leases,
      List<String> warnings,
      Members members,
      @Nullable Supplier<ReplicaStatus> replica,
      Runnable others) {
    Supplier<RpcMetrics.Snapshot> calls = watched.calls().metrics();
    List<ProblemCheck> checks = ofProcess(disks, warnings);
    checks.add(new StoreChecks(monitoring.store()));
    checks.add(new MemberChecks(members::departed));
    checks.add(new BlockChecks(watched.blocks().safeMode(), monitoring.figures()));
    checks.add(new DatanodeChecks(monitoring.datanodes(), watched.blocks()::staleDatanodes));
    checks.add(new LeaseChecks(leases));
    checks.add(
        new LoadChecks(
            () -> calls.get().callsRejected(),
            watched.users().audit()::dropped,
            watched.calls().queues(),
            watched.elapsed()::millis));
    checks.add(
        new UpgradeChecks(
            () -> RollingUpgrade.underWay(watched.blocks().upgrades().known()), Clock.systemUTC()));
    ClusterLook cluster = monitoring.cluster();
    if (cluster != null) {
      checks.add(new ClusterChecks(cluster, new ElapsedClock()));
    }
    if (replica != null) {
      checks.add(new ReplicationChecks(replica));
    }
    return new Console.Sources(
        calls,
        () -> {
          Map<Series, Number> gauges = disk(disks);
          putBlocks(gauges, monitoring);
          return gauges;
        },
        checks,
        others);
  }

  static Console.Sources ofStandby(
      Supplier<RpcMetrics.Snapshot> calls,
      Supplier<ReplicaStatus> status,
      DiskSpace disks,
      List<String> warnings) {
    List<ProblemCheck> checks = ofProcess(disks, warnings);
    checks.add(new ReplicationChecks(status));
    return new Console.Sources(
        calls,
        () -> {
          Map<Series, Number> gauges = disk(disks);
          gauges.put(Series.ENTRIES_BEHIND, status.get().applied().entriesBehind());
          return gauges;
        },
        checks,
        () -> {});
  }

  private static List<ProblemCheck> ofProcess(DiskSpace disks, List<String> warnings) {
    return new ArrayList<>(
        List.of(
            new DiskChecks(disks),
            new ProcessChecks(),
            new ClockChecks(Clock.systemUTC(), new ElapsedClock()),
            new TaskChecks(FailureBoard.ofThisProcess()),
            new SettingChecks(warnings)));
  }

  private static Map<Series, Number> disk(DiskSpace disks) {
    Map<Series, Number> gauges = new EnumMap<>(Series.class);
    disks.rooms().stream()
        .mapToLong(DiskSpace.Room::freeBytes)
        .min() // of the fullest
        .ifPresent(bytes -> gauges.put(Series.DISK_FREE_MIB, bytes / MIB));
    return gauges;
  }

  /** Nothing while the store cannot be read. */
  private static void putBlocks(Map<Series, Number> gauges, Monitoring monitoring) {
    ReplicatedBlockStats blocks;
    try {
      blocks = monitoring.figures().recentBlocks();
    } catch (StoreException e) { // a problem of its own
      return;
    }
    gauges.put(Series.REPAIR, blocks.getLowRedundancyBlocks());
    gauges.put(Series.MISSING, blocks.getMissingReplicaBlocks());
  }
}
