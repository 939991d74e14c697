package io.acaciafs.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A site on HBase with so many NameNodes and region servers: what each has to do. {@link #of} finds
 * the fewest servers that keep to the utilisation that the site wants. Changed by nothing.
 *
 * <p>Small tables have no shards, so all their rows lie in the first region, on one region server:
 * what goes there does not get less with more servers. See docs/internet-scale.md.
 */
final class HBasePlan {
  private static final double US = 1e-6;
  private static final double NS = 1e-9;
  private static final double MS = 1e-3;
  private static final double HOUR = 3600;
  private static final double FULL_DISK = 0.7;

  /** With more NameNodes there is no plan. */
  private static final int MOST_SERVERS = 100_000;

  private static final int FEWEST_NAMENODES = 2;
  private static final int FEWEST_REGION_SERVERS = 3;
  private static final int GROUP_ROUNDS = 50;

  /** HDFS's replicas of HBase's own files. */
  private static final int HBASE_REPLICATION = 3;

  /** With more regions the index rows of an inode lie in another region than its entry. */
  private static final int REGIONS_BESIDE = 16;

  private static final double SLICE_REPLICAS = 1000;

  /** Replicas of a full report when bench/datanodes measured HBase. */
  private static final double MEASURED_REPORT_REPLICAS = 30;

  // How NameNodes speak to each other, in seconds.
  private static final double MEMBER_SECONDS = 2;
  private static final double EXCHANGE_SECONDS = 2;
  private static final double LEASE_EXCHANGE_SECONDS = 5;
  private static final double CLIENT_RENEWAL_SECONDS = 30;
  private static final List<String> NEW_ROWS = List.of("create", "mkdir", "addBlock", "complete");
  private static final List<String> RUN_ONCE = List.of("create", "rename", "delete");
  private static final double ANSWER_INDEX_SECONDS = 300;
  private static final double WORD_SECONDS = 1e-3; // in pieces of this size
  private static final double DATANODES_A_BOARD_ROW = 500;

  // Rows that HBase stores of each.
  private static final double ROWS_PER_FILE = 2;
  private static final double ROWS_PER_DIRECTORY = 3;

  private final Site site;
  private final Costs costs;
  private final int nameNodes;
  private final int regionServers;
  private final double regions;
  private double readGroup = 1;
  private double commitGroup = 1;
  private QueueNetwork network;

  private HBasePlan(Site site, Costs costs, int nameNodes, int regionServers) {
    this.site = site;
    this.costs = costs;
    this.nameNodes = nameNodes;
    this.regionServers = regionServers;
    this.regions = Math.max(regionServers, Math.ceil(storedBytes() / costs.figure("regionBytes")));
    this.network = network();
    for (int round = 0; round < GROUP_ROUNDS; round++) {
      shareRequests();
      network = network();
    }
  }

  static Plan of(Site site, Costs costs, List<String> remarks) {
    int nameNodes = FEWEST_NAMENODES;
    int regionServers = FEWEST_REGION_SERVERS;
    while (true) {
      HBasePlan plan = new HBasePlan(site, costs, nameNodes, regionServers);
      int moreNameNodes = Math.max(nameNodes, plan.wantedNameNodes());
      int moreRegionServers = Math.max(regionServers, plan.wantedRegionServers());
      boolean isEnough = moreNameNodes == nameNodes && moreRegionServers == regionServers;
      if (isEnough || moreNameNodes > MOST_SERVERS || moreRegionServers > MOST_SERVERS) {
        return plan.toPlan(remarks);
      }
      nameNodes = moreNameNodes;
      regionServers = moreRegionServers;
    }
  }

  /** The plan with servers as they are, however busy. */
  static Plan with(Site site, Costs costs, int nameNodes, int regionServers) {
    return new HBasePlan(site, costs, nameNodes, regionServers).toPlan(List.of());
  }

  private double storedBytes() {
    double rows =
        ROWS_PER_FILE * site.files()
            + ROWS_PER_DIRECTORY * site.directories()
            + site.blocks()
            + site.replicas();
    return rows * costs.figure("bytesPerRow");
  }

  /** By Little's law: what is in flight is what arrives while a request takes its time. */
  private void shareRequests() {
    double reads = costs.hbase().perSecond(site.calls(), false);
    double changes = costs.hbase().perSecond(site.calls(), true);
    double seconds = requestSeconds();
    double syncSeconds = costs.figure("logSyncMs") * MS;
    readGroup = costs.reads().group(reads / nameNodes / regionServers * seconds);
    commitGroup = costs.commits().group(changes / nameNodes / regions * (seconds + syncSeconds));
  }

  /** Of a read. */
  private double requestSeconds() {
    Station server = network.regionServer();
    return costs.figure("roundTripMs") * MS + Math.min(1, server.mean() + server.meanWait());
  }

  private QueueNetwork network() {
    List<QueueNetwork.Task> tasks = new ArrayList<>();
    for (String call : site.calls().mix().keySet().stream().sorted().toList()) {
      tasks.add(task(call, costs.hbase().of(call)));
    }
    Site.DataNodes nodes = site.dataNodes();
    add(
        tasks,
        "heartbeats",
        listed() * nodes.count() / nodes.heartbeatSeconds(),
        costs.hbaseDataNodes().heartbeatCpuUs() * US,
        0);
    double share = costs.figure("commitNameNodeShare");
    double replicaUs = costs.hbaseDataNodes().incrementalReplicaCpuUs();
    add(
        tasks,
        "reported replicas",
        site.reportedPerSecond(),
        share * replicaUs * US,
        (1 - share) * replicaUs * US);
    double readShare = costs.figure("readNameNodeShare");
    double fullUs = fullReportReplicaUs();
    add(
        tasks,
        "full reports",
        fullReportedPerSecond(),
        readShare * fullUs * US,
        (1 - readShare) * fullUs * US);
    add(tasks, "word of other NameNodes", wordSeconds() / WORD_SECONDS, WORD_SECONDS, 0);
    return new QueueNetwork(nameNodes, regionServers, site.machine().cores(), List.copyOf(tasks));
  }

  private static void add(
      List<QueueNetwork.Task> tasks,
      String name,
      double perSecond,
      double nameNodeSeconds,
      double regionServerSeconds) {
    if (perSecond > 0) {
      tasks.add(
          new QueueNetwork.Task(name, false, perSecond, nameNodeSeconds, regionServerSeconds, 0));
    }
  }

  /** What was measured with large groups, in the groups that there are here. */
  private QueueNetwork.Task task(String call, CallCost cost) {
    SharedRequests requests = cost.isChange() ? costs.commits() : costs.reads();
    double group = cost.isChange() ? commitGroup : readGroup;
    double more =
        requests.perCallUs(group, Math.max(1, site.directories() / regions))
            - requests.perCallUs(
                requests.group(Costs.MEASURED_IN_FLIGHT), Costs.MEASURED_DIRECTORIES);
    if (cost.isChange() && regions > REGIONS_BESIDE) {
      more += requests.requestCpuUs() / group; // of index rows
    }
    double share = costs.figure(cost.isChange() ? "commitNameNodeShare" : "readNameNodeShare");
    return new QueueNetwork.Task(
        call,
        true,
        site.calls().perSecond(call),
        Math.max(0, cost.nameNodeCpuUs() + costs.figure("loneCallCpuUs") + share * more) * US,
        Math.max(0, cost.regionServerCpuUs() + (1 - share) * more) * US,
        (2 * costs.figure("roundTripMs") + (cost.isChange() ? costs.figure("logSyncMs") : 0)) * MS);
  }

  /** The blocks of a report are read in slices: the shorter the report, the more each costs. */
  private double fullReportReplicaUs() {
    Site.DataNodes nodes = site.dataNodes();
    double replicas = site.replicas() / (nodes.count() * nodes.storages());
    double aloneUs = costs.hbaseDataNodes().fullReportReplicaCpuUs();
    double slicedUs = costs.figure("slicedReplicaCpuUs");
    double alone = Math.min(1, MEASURED_REPORT_REPLICAS / Math.min(SLICE_REPLICAS, replicas));
    return slicedUs + Math.max(0, aloneUs - slicedUs) * alone;
  }

  private double fullReportedPerSecond() {
    return site.replicas() / (site.dataNodes().fullReportHours() * HOUR);
  }

  /** Seconds of a processor in a second that all NameNodes take to hear each other. */
  private double wordSeconds() {
    double eachSecond =
        messagesPerSecond() * costs.figure("memberMessageCpuUs") * US
            + readRowsPerSecond() * costs.figure("scannedRowCpuUs") * US
            + boardBytesPerSecond() * costs.figure("boardByteCpuNs") * NS
            + nameNodes
                * site.dataNodes().count()
                * (listed() - 1) // asks all boards, but only for what it hears and does not own
                / EXCHANGE_SECONDS
                * costs.figure("boardLookUpCpuNs")
                * NS;
    return eachSecond;
  }

  /** Each change of a directory is told to all other NameNodes, and its end. */
  private double messagesPerSecond() {
    return site.calls().perSecond() * site.calls().directoryChanges() * 2 * (nameNodes - 1);
  }

  /** Rows that NameNodes scan to know who lives, and which clients do. */
  private double readRowsPerSecond() {
    return nameNodes * (double) nameNodes / MEMBER_SECONDS
        + nameNodes * site.clients().writing() / LEASE_EXCHANGE_SECONDS;
  }

  private double boardBytes() {
    Site.DataNodes nodes = site.dataNodes();
    return nodes.count()
        * (costs.figure("boardBytesPerDataNode")
            + nodes.storages() * costs.figure("boardBytesPerStorage")
            + (listed() - 1) * costs.figure("boardBytesPerListener"));
  }

  /** NameNodes that hear a DataNode. */
  private double listed() {
    return Math.min(site.dataNodes().nameNodesEach(), nameNodes);
  }

  private double boardBytesPerSecond() {
    return nameNodes * boardBytes() / EXCHANGE_SECONDS;
  }

  /**
   * Seconds of a processor in a second of the region server that has the first region. What all
   * NameNodes send there shares requests, too. A replica that is reported is looked up among those
   * that are to be deleted there; one that was deleted is looked up on all disks of its DataNode.
   */
  private double firstRegionSeconds() {
    double lookUps = regions == 1 ? 0 : site.reportedPerSecond();
    double scanned =
        readRowsPerSecond()
            + (regions == 1 ? 0 : site.removed() * (site.dataNodes().storages() - 1))
            + nameNodes
                * Math.max(nameNodes, site.dataNodes().count() / DATANODES_A_BOARD_ROW)
                / EXCHANGE_SECONDS;
    double renewals = site.clients().writing() / CLIENT_RENEWAL_SECONDS;
    double written = renewals + 2 * site.removed() + answerIndexRowsPerSecond();
    double lookUp =
        costs.hbase().of("stat").regionServerCpuUs()
            + (1 - costs.figure("readNameNodeShare"))
                * costs.figure("readRequestCpuUs")
                / costs.reads().group(lookUps / nameNodes * requestSeconds());
    double write =
        costs.figure("writtenRowCpuUs")
            + (1 - costs.figure("commitNameNodeShare"))
                * costs.figure("commitRequestCpuUs")
                / costs
                    .commits()
                    .group(
                        written / nameNodes * (requestSeconds() + costs.figure("logSyncMs") * MS));
    return US * (lookUps * lookUp + scanned * costs.figure("scannedRowCpuUs") + written * write);
  }

  /**
   * Seconds of a processor in a second for the regions of the newest ids: inodes and blocks come in
   * the order of their ids in each shard, so what is new is at the end of each.
   */
  private double newestIdsSeconds() {
    double write =
        costs.figure("writtenRowCpuUs")
            + (1 - costs.figure("commitNameNodeShare"))
                * costs.figure("commitRequestCpuUs")
                / commitGroup;
    double rows = NEW_ROWS.stream().mapToDouble(call -> site.calls().perSecond(call)).sum();
    double reported =
        (1 - costs.figure("commitNameNodeShare"))
            * costs.hbaseDataNodes().incrementalReplicaCpuUs();
    return US * (rows * write + (site.reportedPerSecond() - site.removed()) * reported);
  }

  /** One for each directory with an answer of a call that must not run twice, in five minutes. */
  private double answerIndexRowsPerSecond() {
    double answers = RUN_ONCE.stream().mapToDouble(call -> site.calls().perSecond(call)).sum();
    return SharedRequests.distinct(site.directories(), answers * ANSWER_INDEX_SECONDS)
        / ANSWER_INDEX_SECONDS;
  }

  private double nameNodeBytes() {
    Site.DataNodes nodes = site.dataNodes();
    return costs.figure("heapBytesOfNameNode")
        + nodes.count()
            * (costs.hbaseDataNodes().heapBytesPerDataNode()
                + nodes.storages() * costs.hbaseDataNodes().heapBytesPerStorage())
        + 3 * boardBytes() // as they came, as messages, and the next ones
        + site.clients().writing() * costs.figure("heapBytesPerClientLease")
        + site.clients().connected() / nameNodes * costs.figure("heapBytesPerConnection");
  }

  private double regionServerBytes() {
    return costs.figure("heapBytesOfRegionServer")
        + regions / regionServers * costs.figure("heapBytesPerRegion");
  }

  private double diskBytes() {
    return storedBytes() * HBASE_REPLICATION / regionServers;
  }

  /** Reads a second of all region servers that find nothing in memory. */
  private double coldReadsPerSecond() {
    double reads = costs.hbase().perSecond(site.calls(), false);
    double memory = regionServers * (site.machine().memoryBytes() - regionServerBytes());
    double notInMemory = Math.max(0, 1 - memory / storedBytes());
    return notInMemory * (site.calls().coldReads() * reads + fullReportedPerSecond());
  }

  /** Replicas of full reports that NameNodes look at a second, a slice after the other. */
  private double fullReportsPerSecond() {
    return nameNodes
        * site.dataNodes().fullReportsAtOnce()
        / (costs.figure("fullReportReplicaMs") * MS);
  }

  private int wantedNameNodes() {
    double byCpu = nameNodes * network.nameNode().utilisation() / site.utilisation();
    double byReports = nameNodes * fullReportedPerSecond() / fullReportsPerSecond();
    return (int) Math.ceil(Math.min(1e9, Math.max(byCpu, byReports)) - 1e-9);
  }

  private int wantedRegionServers() {
    double byCpu = regionServers * network.regionServer().utilisation() / site.utilisation();
    double byDisk = storedBytes() * HBASE_REPLICATION / (FULL_DISK * site.machine().diskBytes());
    double byRegions =
        Math.ceil(storedBytes() / costs.figure("regionBytes")) / costs.figure("regionsPerServer");
    double byReads = coldReadsPerSecond() / costs.figure("coldReadsPerSecondHBase");
    double most = Math.max(Math.max(byCpu, byReads), Math.max(byDisk, byRegions));
    return (int) Math.ceil(Math.min(1e9, most) - 1e-9);
  }

  private Plan toPlan(List<String> remarks) {
    Site.Machine machine = site.machine();
    double cores = machine.cores();
    double wanted = site.utilisation() * cores;
    List<Limit> limits =
        List.of(
            new Limit(
                "CPU of NameNodes",
                network.nameNode().utilisation() * cores,
                wanted,
                "cores",
                true),
            new Limit(
                "CPU of region servers",
                network.regionServer().utilisation() * cores,
                wanted,
                "cores",
                true),
            new Limit(
                "full reports at once",
                fullReportedPerSecond(),
                fullReportsPerSecond(),
                "replicas/s",
                true),
            new Limit(
                "time of a DataNode's full report",
                site.replicas()
                    / site.dataNodes().count()
                    * costs.figure("fullReportReplicaMs")
                    * MS,
                site.dataNodes().fullReportHours() * HOUR,
                "s",
                false),
            new Limit(
                "disk of a region server",
                diskBytes(),
                FULL_DISK * machine.diskBytes(),
                "bytes",
                true),
            new Limit(
                "reads from the disk of a region server",
                coldReadsPerSecond() / regionServers,
                costs.figure("coldReadsPerSecondHBase"),
                "reads/s",
                true),
            new Limit(
                "regions of a region server",
                regions / regionServers,
                costs.figure("regionsPerServer"),
                "regions",
                true),
            new Limit(
                "memory of a region server",
                regionServerBytes(),
                machine.memoryBytes(),
                "bytes",
                true),
            new Limit(
                "memory of a NameNode", nameNodeBytes(), machine.memoryBytes(), "bytes", false),
            new Limit(
                "word of other NameNodes, of CPU",
                wordSeconds() / nameNodes,
                wanted,
                "cores",
                false),
            new Limit("CPU for the first region", firstRegionSeconds(), wanted, "cores", false),
            new Limit(
                "CPU for the newest ids",
                newestIdsSeconds(),
                Math.min(REGIONS_BESIDE, regionServers) * wanted,
                "cores",
                false),
            new Limit(
                "network of the first region",
                boardBytesPerSecond(),
                machine.networkBytesPerSecond(),
                "bytes/s",
                false),
            new Limit(
                "regions of the HMaster",
                regions,
                costs.figure("regionsPerMaster"),
                "regions",
                false));
    return new Plan(
        site,
        Site.Engine.HBASE,
        List.copyOf(remarks),
        List.of(
            new ServerGroup(
                "NameNode", nameNodes, network.nameNode().utilisation(), nameNodeBytes(), 0),
            new ServerGroup(
                "region server",
                regionServers,
                network.regionServer().utilisation(),
                regionServerBytes(),
                diskBytes()),
            new ServerGroup("HMaster", 2, Double.NaN, 4e9 + regions * 1e4, 0),
            new ServerGroup("ZooKeeper", regionServers > 1000 ? 5 : 3, Double.NaN, 4e9, 1e10),
            new ServerGroup("NameNode by Raft, for HBase's files", 3, Double.NaN, 4e9, 1e10)),
        limits,
        network,
        commitGroup,
        readGroup);
  }
}
