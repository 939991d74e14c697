package io.acaciafs.namenode.monitor;

import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namenode.monitor.cluster.ClusterPage;
import io.acaciafs.namenode.process.Versions;
import io.acaciafs.web.JsonPart.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * All that the page shows that is opened first: sums, health, problems and the last hour, so that
 * an open page is one request. Made once in some seconds, however many ask.
 */
public final class OverviewPage {
  private final Watched watched;
  private final StoreFigures figures;
  private final @Nullable ClusterPage cluster;
  private final Supplier<DatanodeFigures> datanodes;
  private final Supplier<Answer> health;
  private final Supplier<Answer> problems;
  private final Supplier<List<Map<String, Object>>> nameNodes;
  private final Supplier<Map<String, Object>> lastHour;
  private final EachInterval<Answer> answer = EachInterval.forPages(this::make);

  /**
   * @param cluster null where this process keeps the store
   * @param datanodes as they were some seconds ago at most
   * @param health does not wait for the store
   * @param nameNodes that serve the same store, where there can be several
   * @param lastHour of this NameNode, as its history says it
   */
  public OverviewPage(
      Watched watched,
      StoreFigures figures,
      @Nullable ClusterPage cluster,
      Supplier<DatanodeFigures> datanodes,
      Supplier<Answer> health,
      Supplier<Answer> problems,
      Supplier<List<Map<String, Object>>> nameNodes,
      Supplier<Map<String, Object>> lastHour) {
    this.watched = watched;
    this.figures = figures;
    this.cluster = cluster;
    this.datanodes = datanodes;
    this.health = health;
    this.problems = problems;
    this.nameNodes = nameNodes;
    this.lastHour = lastHour;
  }

  /** As of some seconds ago at most. */
  public Answer read() {
    return answer.get();
  }

  private Answer make() {
    StoreFigures.Look store = figures.look();
    DatanodeFigures nodes = datanodes.get();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("health", health.get().body());
    body.put("problems", problems.get().body());
    body.put("nameNodes", nameNodes.get());
    body.put("lastHour", lastHour.get());
    body.put("capacity", capacity(nodes));
    body.put("datanodes", datanodes(nodes));
    putStore(body, store);
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

  /** What the store tells; null where it cannot be read, which is a problem of its own. */
  static void putStore(Map<String, Object> body, StoreFigures.Look store) {
    ReplicatedBlockStats stats = known(store::blocks);
    Map<String, Object> blocks = new LinkedHashMap<>();
    blocks.put("total", known(() -> store.rows("blocks")));
    blocks.put("missing", stats == null ? null : stats.getMissingReplicaBlocks());
    blocks.put("corrupt", stats == null ? null : stats.getCorruptBlocks());
    blocks.put(
        "lowRedundancy",
        stats == null ? null : stats.getLowRedundancyBlocks() + stats.getMissingReplicaBlocks());
    body.put("blocks", blocks);
    body.put("files", known(store::files));
    body.put("openFiles", known(() -> store.rows("open_files")));
  }

  private static <T> @Nullable T known(Supplier<@Nullable T> figure) {
    try {
      return figure.get();
    } catch (StoreException e) {
      return null;
    }
  }
}
