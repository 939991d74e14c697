package io.acaciafs.namenode.monitor;

import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.web.Bean;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * The beans that dashboards and exporters of an HDFS NameNode read, with its names. What this
 * NameNode does not have (edits, checkpoints, locks) or does not count is not there. Source of
 * names and meanings: HDFS 3.5's FSNamesystem, NameNodeMXBean, NameNodeStatusMXBean.
 * docs/monitoring.md lists them.
 */
public final class NameNodeBeans {
  /** HDFS counts no more of them. */
  private static final long MOST_CORRUPT = 500;

  private final Watched watched;
  private final StoreFigures figures;
  private final Activity activity;

  private NameNodeBeans(Watched watched, StoreFigures figures, Clock clock) {
    this.watched = watched;
    this.figures = figures;
    this.activity = new Activity(watched, clock);
  }

  /** All beans of a NameNode. */
  public static List<Bean> of(Watched watched, StoreFigures figures, Clock clock) {
    NameNodeBeans beans = new NameNodeBeans(watched, figures, clock);
    int port = watched.calls().address().getPort();
    return List.of(
        Bean.of("NameNodeInfo", beans::info),
        Bean.of("NameNodeStatus", beans::status),
        measured("NameNode", NameNodeBeans::role),
        measured("FSNamesystem", beans::namesystem),
        Bean.of("FSNamesystemState", beans::state),
        Bean.of("ReplicatedBlocksState", beans::replicatedBlocks),
        Bean.of("ECBlockGroupsState", NameNodeBeans::codedBlocks),
        Bean.of("BlockStats", beans::blockStats),
        measured("StartupProgress", beans::startup),
        measured("NameNodeActivity", beans.activity::nameNode),
        measured("RpcActivityForPort" + port, beans.activity::rpc),
        measured("RpcDetailedActivityForPort" + port, beans.activity::rpcDetailed),
        measured("JvmMetrics", JvmFigures::read));
  }

  /** A bean with what Hadoop's library of metrics adds to its own. */
  private static Bean measured(String name, Supplier<Map<String, Object>> attributes) {
    String host = NetUtils.getLocalHostname();
    return Bean.of(
        name,
        () -> {
          Map<String, Object> bean = attributes.get();
          bean.put("tag.Hostname", host);
          return bean;
        });
  }

  /** Every NameNode is active. */
  private static Map<String, Object> role() {
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("tag.Context", "dfs");
    bean.put("NameNodeState", HAServiceState.ACTIVE.ordinal());
    return bean;
  }

  private DatanodeFigures datanodes() {
    return new DatanodeFigures(watched.blocks(), watched.elapsed().millis());
  }

  private Map<String, Object> info() {
    Map<String, Object> info = new LinkedHashMap<>();
    StoreFigures.Look store = figures.look();
    DatanodeFigures nodes = datanodes();
    ReplicatedBlockStats blocks = store.blocks();
    long total = nodes.sum(DatanodeInfo::getCapacity);
    long used = nodes.sum(DatanodeInfo::getDfsUsed);
    long remaining = nodes.sum(DatanodeInfo::getRemaining);
    long pool = nodes.sum(DatanodeInfo::getBlockPoolUsed);
    info.put("Version", VersionInfo.getVersion() + ", Acacia on " + watched.store().engine());
    info.put("SoftwareVersion", VersionInfo.getVersion());
    info.put("ClusterId", watched.identity().clusterId());
    info.put("BlockPoolId", watched.identity().blockPoolId());
    info.put(
        "CompileInfo",
        VersionInfo.getDate()
            + " by "
            + VersionInfo.getUser()
            + " from "
            + VersionInfo.getBranch());
    info.put("UpgradeFinalized", true);
    info.put("RollingUpgradeStatus", rollingUpgrade());
    info.put("NNStartedTimeInMillis", watched.start().startedMs());
    info.put("Threads", ManagementFactory.getThreadMXBean().getThreadCount());
    info.put("Safemode", safeModeText());
    info.put("Total", total);
    info.put("Used", used);
    info.put("Free", remaining);
    info.put("NonDfsUsedSpace", nodes.sum(DatanodeInfo::getNonDfsUsed));
    info.put("ProvidedCapacity", 0L);
    info.put("BlockPoolUsedSpace", pool);
    info.put("PercentUsed", DatanodeFigures.share(used, total));
    info.put("PercentRemaining", DatanodeFigures.share(remaining, total));
    info.put("PercentBlockPoolUsed", DatanodeFigures.share(pool, total));
    info.put("CacheCapacity", nodes.sum(DatanodeInfo::getCacheCapacity));
    info.put("CacheUsed", nodes.sum(DatanodeInfo::getCacheUsed));
    info.put("TotalBlocks", store.rows("blocks"));
    info.put("NumberOfMissingBlocks", blocks.getMissingReplicaBlocks());
    info.put(
        "NumberOfMissingBlocksWithReplicationFactorOne", blocks.getMissingReplicationOneBlocks());
    info.put("CorruptFilesCount", (int) Math.min(blocks.getMissingReplicaBlocks(), MOST_CORRUPT));
    info.put("NumberOfBadlyDistributedBlocks", blocks.getBadlyDistributedBlocks());
    info.put(
        "HighestPriorityLowRedundancyReplicatedBlocks",
        blocks.getHighestPriorityLowRedundancyBlocks());
    info.put("HighestPriorityLowRedundancyECBlocks", 0L);
    info.put("NumberOfSnapshottableDirs", 0);
    info.put(
        "VerifyECWithTopologyResult",
        "{\"resultMessage\":\"No erasure coding policy is given.\",\"isSupported\":\"true\"}");
    info.put("LiveNodes", nodes.liveNodes());
    info.put("DeadNodes", nodes.deadNodes());
    info.put("DecomNodes", nodes.nodesIn(AdminStates.DECOMMISSION_INPROGRESS));
    info.put("EnteringMaintenanceNodes", nodes.nodesIn(AdminStates.ENTERING_MAINTENANCE));
    info.put("NodeUsage", nodes.usage());
    info.put("DistinctVersionCount", nodes.versions().size());
    info.put("DistinctVersions", nodes.versions());
    boolean writes = watched.store().opened().writeFailure() == null;
    Map<String, String> place =
        Map.of(watched.store().place(), watched.store().engine().toUpperCase(Locale.ROOT));
    info.put(
        "NameDirStatuses",
        DatanodeFigures.json(
            Map.of("active", writes ? place : Map.of(), "failed", writes ? Map.of() : place)));
    return info;
  }

  /** As HDFS's RollingUpgradeInfo.Bean; null where none is under way. */
  private Bean.@Nullable Fields rollingUpgrade() {
    RollingUpgrade upgrade = RollingUpgrade.underWay(watched.blocks().upgrades().known());
    if (upgrade == null) {
      return null;
    }
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("blockPoolId", watched.identity().blockPoolId());
    bean.put("createdRollbackImages", upgrade.hasBackup());
    bean.put("finalizeTime", 0L);
    bean.put("startTime", upgrade.startMs());
    return new Bean.Fields(bean);
  }

  private String safeModeText() {
    return watched.blocks().safeMode().isOn()
        ? "Safe mode is ON. " + watched.blocks().safeMode().tip()
        : "";
  }

  private Map<String, Object> status() {
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("NNRole", "NameNode");
    status.put("State", "active");
    status.put("HostAndPort", watched.calls().hostAndPort());
    status.put("SecurityEnabled", UserGroupInformation.isSecurityEnabled());
    status.put("LastHATransitionTime", 0L);
    status.put("BytesWithFutureGenerationStamps", 0L);
    return status;
  }

  /** What both beans of the namesystem have. */
  private void common(
      Map<String, Object> bean,
      DatanodeFigures nodes,
      ReplicatedBlockStats blocks,
      StoreFigures.Look store) {
    bean.put("FilesTotal", store.files());
    bean.put("BlocksTotal", store.rows("blocks"));
    bean.put("CapacityTotal", nodes.sum(DatanodeInfo::getCapacity));
    bean.put("CapacityUsed", nodes.sum(DatanodeInfo::getDfsUsed));
    bean.put("CapacityRemaining", nodes.sum(DatanodeInfo::getRemaining));
    bean.put("ProvidedCapacityTotal", 0L);
    bean.put("TotalLoad", nodes.sum(DatanodeInfo::getXceiverCount));
    // with those of which no replica is left, unlike LowRedundancyReplicatedBlocks
    long waiting = blocks.getLowRedundancyBlocks() + blocks.getMissingReplicaBlocks();
    bean.put("LowRedundancyBlocks", waiting);
    bean.put("UnderReplicatedBlocks", waiting);
    bean.put("PendingDeletionBlocks", blocks.getPendingDeletionBlocks());
    bean.put("ScheduledReplicationBlocks", watched.blocks().waitingTransfers());
    Long pending = store.rows("pending_repairs");
    bean.put("PendingReplicationBlocks", pending);
    bean.put("PendingReconstructionBlocks", pending);
    bean.put("ReconstructionQueuesInitProgress", 1f); // stored, so never to be filled anew
    bean.put("NumStaleStorages", 0); // what storages hold is known, also after a start
    bean.put("NumEncryptionZones", 0);
    bean.put("CurrentTokensCount", store.tokens());
    bean.put("PendingSPSPaths", 0);
    bean.put("NumLiveDataNodes", nodes.liveCount());
    bean.put("NumDeadDataNodes", nodes.deadCount());
    bean.put("NumInServiceLiveDataNodes", nodes.liveIn(AdminStates.NORMAL));
    bean.put("NumDecomLiveDataNodes", nodes.liveIn(AdminStates.DECOMMISSIONED));
    bean.put("NumDecomDeadDataNodes", nodes.deadIn(AdminStates.DECOMMISSIONED));
    bean.put("NumDecommissioningDataNodes", nodes.liveIn(AdminStates.DECOMMISSION_INPROGRESS));
    bean.put("NumInMaintenanceLiveDataNodes", nodes.liveIn(AdminStates.IN_MAINTENANCE));
    bean.put("NumInMaintenanceDeadDataNodes", nodes.deadIn(AdminStates.IN_MAINTENANCE));
    bean.put("NumEnteringMaintenanceDataNodes", nodes.liveIn(AdminStates.ENTERING_MAINTENANCE));
    bean.put("VolumeFailuresTotal", nodes.failedVolumes());
    bean.put("TotalSyncCount", activity.syncs());
  }

  private Map<String, Object> namesystem() {
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("tag.Context", "dfs");
    bean.put("tag.HAState", "active");
    DatanodeFigures nodes = datanodes();
    StoreFigures.Look store = figures.look();
    ReplicatedBlockStats blocks = store.blocks();
    common(bean, nodes, blocks, store);
    bean.put("MissingBlocks", blocks.getMissingReplicaBlocks());
    bean.put("MissingReplOneBlocks", blocks.getMissingReplicationOneBlocks());
    bean.put("BadlyDistBlocks", blocks.getBadlyDistributedBlocks());
    bean.put("CorruptBlocks", blocks.getCorruptBlocks());
    bean.put("TotalReplicatedBlocks", store.rows("blocks"));
    putReplicated(bean, blocks);
    bean.put(
        "HighestPriorityLowRedundancyReplicatedBlocks",
        blocks.getHighestPriorityLowRedundancyBlocks());
    bean.put("CapacityUsedNonDFS", nodes.sum(DatanodeInfo::getNonDfsUsed));
    bean.put("CapacityTotalGB", inGb(nodes.sum(DatanodeInfo::getCapacity)));
    bean.put("CapacityUsedGB", inGb(nodes.sum(DatanodeInfo::getDfsUsed)));
    bean.put("CapacityRemainingGB", inGb(nodes.sum(DatanodeInfo::getRemaining)));
    bean.put("StaleDataNodes", watched.blocks().staleDatanodes());
    bean.put("NumFilesUnderConstruction", store.rows("open_files"));
    bean.put("SnapshottableDirectories", 0L);
    bean.put("Snapshots", 0L);
    bean.putAll(codedBlocks());
    bean.put("tag.EnabledEcPolicies", bean.remove("EnabledEcPolicies"));
    bean.put("HighestPriorityLowRedundancyECBlocks", 0L);
    putWhatNeverIs(bean);
    return bean;
  }

  /** HDFS rounds to whole ones. */
  private static float inGb(long bytes) {
    return DFSUtil.roundBytesToGB(bytes);
  }

  /**
   * There is no lock and no standby; a surplus replica leaves its block when its deletion is
   * queued.
   */
  private static void putWhatNeverIs(Map<String, Object> bean) {
    bean.put("LockQueueLength", 0);
    bean.put("ReadLockLongHoldCount", 0L);
    bean.put("WriteLockLongHoldCount", 0L);
    bean.put("ExcessBlocks", 0L);
    bean.put("PostponedMisreplicatedBlocks", 0L);
    bean.put("PendingDataNodeMessageCount", 0);
    bean.put("MillisSinceLastLoadedEdits", 0L);
  }

  /** There are no striped files. */
  private static Map<String, Object> codedBlocks() {
    Map<String, Object> bean = new LinkedHashMap<>();
    for (String figure :
        List.of(
            "LowRedundancyECBlockGroups",
            "CorruptECBlockGroups",
            "MissingECBlockGroups",
            "BytesInFutureECBlockGroups",
            "PendingDeletionECBlocks",
            "TotalECBlockGroups")) {
      bean.put(figure, 0L);
    }
    bean.put("EnabledEcPolicies", "");
    return bean;
  }

  private Map<String, Object> state() {
    Map<String, Object> bean = new LinkedHashMap<>();
    StoreFigures.Look store = figures.look();
    common(bean, datanodes(), store.blocks(), store);
    bean.put("FSState", watched.blocks().safeMode().isOn() ? "safeMode" : "Operational");
    bean.put("NumStaleDataNodes", watched.blocks().staleDatanodes());
    bean.put("BlockDeletionStartTime", watched.start().startedMs());
    bean.put("MaxObjects", 0L);
    bean.put("FsLockQueueLength", 0);
    bean.put("TopUserOpCounts", watched.users().top().topUserOpCounts());
    bean.put("SnapshotStats", "{\"SnapshottableDirectories\":0,\"Snapshots\":0}");
    return bean;
  }

  private Map<String, Object> replicatedBlocks() {
    Map<String, Object> bean = new LinkedHashMap<>();
    StoreFigures.Look store = figures.look();
    ReplicatedBlockStats blocks = store.blocks();
    putReplicated(bean, blocks);
    bean.put("TotalReplicatedBlocks", store.rows("blocks"));
    return bean;
  }

  private static void putReplicated(Map<String, Object> bean, ReplicatedBlockStats blocks) {
    bean.put("LowRedundancyReplicatedBlocks", blocks.getLowRedundancyBlocks());
    bean.put("CorruptReplicatedBlocks", blocks.getCorruptBlocks());
    bean.put("MissingReplicatedBlocks", blocks.getMissingReplicaBlocks());
    bean.put("MissingReplicationOneBlocks", blocks.getMissingReplicationOneBlocks());
    bean.put("BytesInFutureReplicatedBlocks", blocks.getBytesInFutureBlocks());
    bean.put("PendingDeletionReplicatedBlocks", blocks.getPendingDeletionBlocks());
    bean.put("BadlyDistributedBlocks", blocks.getBadlyDistributedBlocks());
  }

  private Map<String, Object> blockStats() {
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("StorageTypeStats", datanodes().storageTypes());
    return bean;
  }

  /** There is no image and are no edits to load: the store is opened. */
  private Map<String, Object> startup() {
    Map<String, Object> bean = new LinkedHashMap<>();
    float safe = watched.blocks().safeMode().isStartup() ? 0 : 1;
    bean.put("ElapsedTime", watched.start().servesAfterMs());
    bean.put("PercentComplete", (3 + safe) / 4);
    bean.put("LoadingFsImageElapsedTime", watched.start().openedMs());
    bean.put("LoadingFsImagePercentComplete", 1f);
    bean.put("LoadingEditsElapsedTime", 0L);
    bean.put("LoadingEditsPercentComplete", 1f);
    bean.put("SavingCheckpointElapsedTime", 0L);
    bean.put("SavingCheckpointPercentComplete", 1f);
    bean.put("SafeModePercentComplete", safe);
    return bean;
  }
}
