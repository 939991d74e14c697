package io.acaciafs.namenode.monitor;

import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.namenode.monitor.cluster.ClusterPage;
import io.acaciafs.namenode.process.Versions;
import io.acaciafs.web.JsonPart.Answer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows that is opened first: sums alone. Made once in some seconds, however many
 * ask.
 */
public final class OverviewPage {
  private static final long INTERVAL_MS = 2_000;

  private final Watched watched;
  private final StoreFigures figures;
  private final @Nullable ClusterPage cluster;
  private final EachInterval<Answer> answer = new EachInterval<>(INTERVAL_MS, this::make);

  /**
   * @param cluster null where this process keeps the store
   */
  public OverviewPage(Watched watched, StoreFigures figures, @Nullable ClusterPage cluster) {
    this.watched = watched;
    this.figures = figures;
    this.cluster = cluster;
  }

  /** As of some seconds ago at most. */
  public Answer read() {
    return answer.get();
  }

  private Answer make() {
    StoreFigures.Look store = figures.look();
    DatanodeFigures nodes = new DatanodeFigures(watched.blocks(), watched.elapsed().millis());
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("capacity", capacity(nodes));
    body.put("datanodes", datanodes(nodes));
    body.put("blocks", blocks(store));
    body.put("files", store.files());
    body.put("openFiles", store.rows("open_files"));
    var safeMode = watched.blocks().safeMode();
    body.put("safeModeTip", safeMode.isOn() ? "Safe mode is ON. " + safeMode.tip() : "");
    RollingUpgrade upgrade = RollingUpgrade.underWay(watched.blocks().upgrades().known());
    if (upgrade != null) {
      body.put(
          "rollingUpgrade",
          Map.of("startedMs", upgrade.startMs(), "hasBackup", upgrade.hasBackup()));
    }
    body.put("version", Versions.ACACIA);
    body.put("hadoopVersion", VersionInfo.getVersion());
    body.put("clusterId", watched.identity().clusterId());
    body.put("blockPoolId", watched.identity().blockPoolId());
    watched.store().describe(body);
    if (cluster != null) {
      body.put("cluster", cluster.summary());
    }
    return Answer.ok(body);
  }

  private static Map<String, Object> capacity(DatanodeFigures nodes) {
    return Map.of(
        "total", nodes.sum(DatanodeInfo::getCapacity),
        "used", nodes.sum(DatanodeInfo::getDfsUsed),
        "other", nodes.sum(DatanodeInfo::getNonDfsUsed),
        "remaining", nodes.sum(DatanodeInfo::getRemaining));
  }

  private Map<String, Object> datanodes(DatanodeFigures nodes) {
    return Map.of(
        "live", nodes.liveCount(),
        "dead", nodes.deadCount(),
        "stale", watched.blocks().staleDatanodes());
  }

  private static Map<String, Object> blocks(StoreFigures.Look store) {
    ReplicatedBlockStats stats = store.blocks();
    Map<String, Object> blocks = new LinkedHashMap<>();
    blocks.put("total", store.rows("blocks"));
    blocks.put("missing", stats.getMissingReplicaBlocks());
    blocks.put("corrupt", stats.getCorruptBlocks());
    blocks.put("lowRedundancy", stats.getLowRedundancyBlocks() + stats.getMissingReplicaBlocks());
    return blocks;
  }
}
