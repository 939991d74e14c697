package io.acaciafs.namenode.monitor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.blocks.BlockManager;
import io.acaciafs.kv.value.Saturated;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.common.Util;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/**
 * DataNodes as they are at one moment, in the forms that HDFS's beans give them. Source of names:
 * FSNamesystem of HDFS 3.5.
 */
public final class DatanodeFigures {
  private static final long MINUTE_MS = 60_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<DatanodeStorageReport> live;
  private final List<DatanodeStorageReport> dead;
  private final long nowMs;

  /**
   * @param nowMs by the clock that DataNodes' last signs of life were taken with
   */
  public DatanodeFigures(BlockManager blocks, long nowMs) {
    this.live = List.of(blocks.datanodeStorageReport(DatanodeReportType.LIVE));
    this.dead = List.of(blocks.datanodeStorageReport(DatanodeReportType.DEAD));
    this.nowMs = nowMs;
  }

  public List<DatanodeStorageReport> live() {
    return live;
  }

  public List<DatanodeStorageReport> dead() {
    return dead;
  }

  /** When this was. */
  long nowMs() {
    return nowMs;
  }

  public int liveCount() {
    return live.size();
  }

  public int deadCount() {
    return dead.size();
  }

  public long sum(ToLongFunction<DatanodeInfo> figure) {
    return live.stream()
        .map(DatanodeStorageReport::getDatanodeInfo)
        .mapToLong(figure)
        .reduce(0, Saturated::add);
  }

  long liveIn(DatanodeInfo.AdminStates state) {
    return live.stream().filter(node -> node.getDatanodeInfo().getAdminState() == state).count();
  }

  long deadIn(DatanodeInfo.AdminStates state) {
    return dead.stream().filter(node -> node.getDatanodeInfo().getAdminState() == state).count();
  }

  long failedVolumes() {
    return live.stream().mapToLong(node -> failed(node.getStorageReports())).sum();
  }

  static long failed(StorageReport[] volumes) {
    return Arrays.stream(volumes).filter(StorageReport::isFailed).count();
  }

  /** How many live DataNodes run which version. */
  Map<String, Integer> versions() {
    Map<String, Integer> versions = new TreeMap<>();
    live.forEach(
        node -> versions.merge(node.getDatanodeInfo().getSoftwareVersion(), 1, Integer::sum));
    return versions;
  }

  String liveNodes() {
    Map<String, Object> nodes = new TreeMap<>();
    for (DatanodeStorageReport report : live) {
      DatanodeInfo node = report.getDatanodeInfo();
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("infoAddr", node.getInfoAddr());
      fields.put("infoSecureAddr", node.getInfoSecureAddr());
      describe(node, fields);
      fields.put("usedSpace", node.getDfsUsed());
      fields.put("nonDfsUsedSpace", node.getNonDfsUsed());
      fields.put("capacity", node.getCapacity());
      fields.put("numBlocks", node.getNumBlocks());
      fields.put("version", node.getSoftwareVersion());
      fields.put("used", node.getDfsUsed());
      fields.put("remaining", node.getRemaining());
      fields.put("blockPoolUsed", node.getBlockPoolUsed());
      fields.put("blockPoolUsedPercent", node.getBlockPoolUsedPercent());
      fields.put("volfails", failed(report.getStorageReports()));
      if (node.getLastBlockReportTime() > 0) {
        fields.put("lastBlockReport", (nowMs - node.getLastBlockReportTime()) / MINUTE_MS);
      }
      fields.put(
          "blockPoolUsedPercentStdDev",
          Util.getBlockPoolUsedPercentStdDev(report.getStorageReports()));
      nodes.put(node.getXferAddrWithHostname(), fields);
    }
    return json(nodes);
  }

  String deadNodes() {
    Map<String, Object> nodes = new TreeMap<>();
    for (DatanodeStorageReport report : dead) {
      DatanodeInfo node = report.getDatanodeInfo();
      Map<String, Object> fields = new LinkedHashMap<>();
      describe(node, fields);
      fields.put("decommissioned", node.isDecommissioned());
      nodes.put(node.getXferAddrWithHostname(), fields);
    }
    return json(nodes);
  }

  /** Those that are on their way into a state. */
  String nodesIn(DatanodeInfo.AdminStates state) {
    Map<String, Object> nodes = new TreeMap<>();
    for (DatanodeStorageReport report : live) {
      DatanodeInfo node = report.getDatanodeInfo();
      if (node.getAdminState() == state) {
        Map<String, Object> fields = new LinkedHashMap<>();
        describe(node, fields);
        nodes.put(node.getXferAddrWithHostname(), fields);
      }
    }
    return json(nodes);
  }

  private void describe(DatanodeInfo node, Map<String, Object> fields) {
    fields.put("xferaddr", node.getXferAddr());
    fields.put("location", node.getNetworkLocation());
    fields.put("uuid", node.getDatanodeUuid());
    fields.put("lastContact", (nowMs - node.getLastUpdate()) / 1000);
    fields.put("adminState", node.getAdminState().toString());
  }

  /** How evenly the DataNodes in service are filled. */
  String usage() {
    double[] percents =
        live.stream()
            .map(DatanodeStorageReport::getDatanodeInfo)
            .filter(DatanodeInfo::isInService)
            .mapToDouble(DatanodeInfo::getDfsUsedPercent)
            .sorted()
            .toArray();
    double mean = Arrays.stream(percents).average().orElse(0);
    double variance = Arrays.stream(percents).map(p -> (p - mean) * (p - mean)).average().orElse(0);
    int count = percents.length;
    Map<String, Object> usage = new LinkedHashMap<>();
    usage.put("min", percent(count == 0 ? 0 : percents[0]));
    usage.put("median", percent(count == 0 ? 0 : percents[count / 2]));
    usage.put("max", percent(count == 0 ? 0 : percents[count - 1]));
    usage.put("stdDev", percent(Math.sqrt(variance)));
    return json(Map.of("nodeUsage", usage));
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.2f%%", value);
  }

  /** Totals of each kind of storage. */
  Map<String, Map<String, Object>> storageTypes() {
    Map<String, List<StorageReport>> byType = new TreeMap<>();
    Map<String, Integer> nodes = new TreeMap<>();
    Map<String, Integer> xceivers = new TreeMap<>();
    for (DatanodeStorageReport node : live) {
      Map<String, Boolean> seen = new TreeMap<>();
      for (StorageReport report : node.getStorageReports()) {
        String type = report.getStorage().getStorageType().name();
        byType.computeIfAbsent(type, key -> new ArrayList<>()).add(report);
        if (seen.put(type, true) == null && node.getDatanodeInfo().isInService()) {
          nodes.merge(type, 1, Integer::sum);
          xceivers.merge(type, node.getDatanodeInfo().getXceiverCount(), Integer::sum);
        }
      }
    }
    Map<String, Map<String, Object>> stats = new TreeMap<>();
    byType.forEach(
        (type, reports) ->
            stats.put(
                type,
                storageType(reports, nodes.getOrDefault(type, 0), xceivers.getOrDefault(type, 0))));
    return stats;
  }

  private static Map<String, Object> storageType(
      List<StorageReport> reports, int nodes, int xceivers) {
    long total = sum(reports, StorageReport::getCapacity);
    long used = sum(reports, StorageReport::getDfsUsed);
    long remaining = sum(reports, StorageReport::getRemaining);
    long pool = sum(reports, StorageReport::getBlockPoolUsed);
    Map<String, Object> fields = new TreeMap<>();
    fields.put("blockPoolUsed", pool);
    fields.put("capacityNonDfsUsed", sum(reports, StorageReport::getNonDfsUsed));
    fields.put("capacityRemaining", remaining);
    fields.put("capacityTotal", total);
    fields.put("capacityUsed", used);
    fields.put("nodesInService", nodes);
    fields.put("nodesInServiceXceiverCount", xceivers);
    fields.put("percentBlockPoolUsed", share(pool, total));
    fields.put("percentRemaining", share(remaining, total));
    fields.put("percentUsed", share(used, total));
    return fields;
  }

  private static long sum(List<StorageReport> reports, ToLongFunction<StorageReport> figure) {
    return reports.stream().mapToLong(figure).reduce(0, Saturated::add);
  }

  /** In percent. */
  static float share(long part, long total) {
    return total <= 0 ? 0 : part * 100f / total;
  }

  static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Not JSON: " + value, e);
    }
  }
}
