package io.acaciafs.namenode.monitor;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.repair.DecommissionMonitor.Progress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.jspecify.annotations.Nullable;

/**
 * A DataNode for people.
 *
 * @param name by which it is known
 * @param state in words
 * @param leaving how far a node is that is to go; null where it is not, or not known here
 */
record DatanodeRow(
    String name,
    DatanodeInfo node,
    StorageReport[] volumes,
    String state,
    long lastContactMs,
    @Nullable Progress leaving) {

  DatanodeRow(
      DatanodeInfo node,
      StorageReport[] volumes,
      String state,
      long lastContactMs,
      @Nullable Progress leaving) {
    this(node.getXferAddrWithHostname(), node, volumes, state, lastContactMs, leaving);
  }

  /** All that are known. */
  static List<DatanodeRow> all(DatanodeFigures nodes, BlockManager blocks) {
    Map<String, Progress> leaving = blocks.leavingDatanodes();
    long staleMs = blocks.staleMs();
    long nowMs = nodes.nowMs();
    Stream<DatanodeRow> live =
        nodes.live().stream()
            .map(
                each -> {
                  DatanodeInfo node = each.getDatanodeInfo();
                  long silentMs = nowMs - node.getLastUpdate();
                  return row(each, silentMs > staleMs ? "stale" : "", silentMs, leaving);
                });
    Stream<DatanodeRow> dead =
        nodes.dead().stream()
            .map(
                each -> row(each, "dead", nowMs - each.getDatanodeInfo().getLastUpdate(), leaving));
    return Stream.concat(live, dead).toList();
  }

  private static DatanodeRow row(
      DatanodeStorageReport report, String liveness, long silentMs, Map<String, Progress> leaving) {
    DatanodeInfo node = report.getDatanodeInfo();
    return new DatanodeRow(
        node,
        report.getStorageReports(),
        state(node.getAdminState(), liveness),
        silentMs,
        leaving.get(node.getDatanodeUuid()));
  }

  private static String state(DatanodeInfo.AdminStates admin, String liveness) {
    String words =
        switch (admin) {
          case NORMAL -> "in service";
          case DECOMMISSION_INPROGRESS -> "decommissioning";
          case DECOMMISSIONED -> "decommissioned";
          case ENTERING_MAINTENANCE -> "entering maintenance";
          case IN_MAINTENANCE -> "in maintenance";
        };
    return liveness.isEmpty()
        ? words
        : admin == DatanodeInfo.AdminStates.NORMAL ? liveness : words + ", " + liveness;
  }

  String rack() {
    return node.getNetworkLocation();
  }

  long used() {
    return node.getDfsUsed();
  }

  long capacity() {
    return node.getCapacity();
  }

  double fullness() {
    return DatanodeFigures.share(node.getCapacity() - node.getRemaining(), node.getCapacity());
  }

  int blocks() {
    return node.getNumBlocks();
  }

  int failedVolumes() {
    return (int) DatanodeFigures.failed(volumes);
  }

  String version() {
    return String.valueOf(node.getSoftwareVersion());
  }

  /** Whether some text about it contains the filter. */
  boolean fits(String filter) {
    if (filter.isEmpty()) {
      return true;
    }
    String wanted = filter.toLowerCase(Locale.ROOT);
    return Stream.of(name(), node.getIpAddr(), rack(), state, version())
        .anyMatch(text -> String.valueOf(text).toLowerCase(Locale.ROOT).contains(wanted));
  }

  Map<String, Object> shown() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name());
    fields.put("address", node.getXferAddr());
    fields.put("rack", rack());
    fields.put("state", state);
    fields.put("lastContactMs", lastContactMs);
    fields.put("capacity", node.getCapacity());
    fields.put("used", node.getDfsUsed());
    fields.put("remaining", node.getRemaining());
    fields.put("blocks", node.getNumBlocks());
    fields.put("volumes", volumes.length);
    fields.put("failedVolumes", failedVolumes());
    fields.put("version", node.getSoftwareVersion());
    fields.put("infoAddress", node.getInfoAddr());
    fields.put("infoSecureAddress", node.getInfoSecureAddr());
    if (leaving != null) {
      fields.put("blocksLookedThrough", leaving.blocksLookedThrough());
      fields.put("waitsForBlock", leaving.waitsForBlock());
    }
    return fields;
  }

  Map<String, Object> withVolumes() {
    Map<String, Object> fields = shown();
    fields.put("uuid", node.getDatanodeUuid());
    fields.put("threads", node.getXceiverCount());
    fields.put(
        "storages", Arrays.stream(volumes).map(DatanodeRow::volume).collect(Collectors.toList()));
    return fields;
  }

  private static Map<String, Object> volume(StorageReport report) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", report.getStorage().getStorageID());
    fields.put("type", report.getStorage().getStorageType().name());
    fields.put("failed", report.isFailed());
    fields.put("state", report.getStorage().getState().name());
    fields.put("capacity", report.getCapacity());
    fields.put("used", report.getDfsUsed());
    fields.put("remaining", report.getRemaining());
    return fields;
  }
}
