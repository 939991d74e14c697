package io.acaciafs.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A site on the embedded engine: one NameNode, or three by Raft. Of three, each has a third of the
 * reads and of what a change costs all of them; their leader has more than its share. A replica
 * that is reported is a change, and costs by Raft what a mkdir costs more. Stateless.
 */
final class EmbeddedPlan {
  private static final double US = 1e-6;
  private static final double MS = 1e-3;
  private static final double HOUR = 3600;

  /** Part of a disk that files may take. */
  private static final double FULL_DISK = 0.8;

  /** A group lacks a member, or a restore takes, no longer than that. */
  private static final double LONGEST_COPY_HOURS = 12;

  private EmbeddedPlan() {}

  static Plan of(Site site, Costs costs, Site.Engine engine, List<String> remarks) {
    boolean isThree = engine == Site.Engine.RAFT;
    int servers = isThree ? 3 : 1;
    CallCosts calls = isThree ? costs.raft() : costs.rocksdb();
    double syncMs = costs.figure(isThree ? "logSyncMsRaft" : "logSyncMsRocksDb");
    List<QueueNetwork.Task> tasks = new ArrayList<>();
    for (String call : site.calls().mix().keySet().stream().sorted().toList()) {
      CallCost cost = calls.of(call);
      tasks.add(
          new QueueNetwork.Task(
              call,
              true,
              site.calls().perSecond(call),
              (cost.cpuUs() + costs.figure("loneCallCpuUs")) * US,
              0,
              (costs.figure("roundTripMs") + (cost.isChange() ? syncMs : 0)) * MS));
    }
    Site.DataNodes nodes = site.dataNodes();
    DataNodeCosts heard = costs.embeddedDataNodes();
    double fullReports = servers * site.replicas() / (nodes.fullReportHours() * HOUR);
    addWork(
        tasks,
        "heartbeats",
        servers * nodes.count() / nodes.heartbeatSeconds(),
        heard.heartbeatCpuUs() * US);
    double raftUs = calls.of("mkdir").cpuUs() - costs.rocksdb().of("mkdir").cpuUs();
    addWork(
        tasks,
        "reported replicas",
        site.reportedPerSecond(),
        (heard.incrementalReplicaCpuUs() + raftUs) * US);
    addWork(tasks, "full reports", fullReports, heard.fullReportReplicaCpuUs() * US);
    QueueNetwork network = new QueueNetwork(servers, 0, site.machine().cores(), List.copyOf(tasks));
    double utilisation = network.nameNode().utilisation();
    double memory =
        costs.figure("heapBytesOfNameNode")
            + nodes.count()
                * (heard.heapBytesPerDataNode() + nodes.storages() * heard.heapBytesPerStorage())
            + site.clients().connected() * costs.figure("heapBytesPerConnection") / servers;
    double disk = site.files() * costs.figure("bytesPerFileRocksDb");
    double notInMemory = Math.max(0, 1 - (site.machine().memoryBytes() - memory) / disk);
    double coldReads =
        notInMemory * fullReports + site.calls().coldReads() * calls.perSecond(site.calls(), false);
    List<Limit> limits =
        List.of(
            new Limit(
                "CPU of a NameNode",
                utilisation * site.machine().cores(),
                site.utilisation() * site.machine().cores(),
                "cores",
                false),
            new Limit(
                "reads from the disk of a NameNode",
                coldReads / servers,
                costs.figure("coldReadsPerSecondRocksDb"),
                "reads/s",
                false),
            new Limit(
                "time to copy the store",
                disk / costs.figure("copiedBytesPerSecond"),
                LONGEST_COPY_HOURS * HOUR,
                "s",
                false),
            new Limit("memory of a NameNode", memory, site.machine().memoryBytes(), "bytes", false),
            new Limit(
                "disk of a NameNode",
                disk,
                FULL_DISK * site.machine().diskBytes(),
                "bytes",
                false));
    return new Plan(
        site,
        engine,
        List.copyOf(remarks),
        List.of(new ServerGroup("NameNode", servers, utilisation, memory, disk)),
        limits,
        network,
        1,
        1);
  }

  private static void addWork(
      List<QueueNetwork.Task> tasks, String name, double perSecond, double seconds) {
    if (perSecond > 0) {
      tasks.add(new QueueNetwork.Task(name, false, perSecond, seconds, 0, 0));
    }
  }
}
