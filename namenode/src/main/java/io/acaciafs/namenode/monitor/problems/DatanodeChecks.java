package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.blocks.BlockManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** Whether DataNodes are there, whole, and have room. */
public final class DatanodeChecks implements ProblemCheck {
  /** More are counted only. */
  private static final int MOST_NAMED = 5;

  private static final double LEAST_FREE = 0.1;

  private final BlockManager blocks;

  public DatanodeChecks(BlockManager blocks) {
    this.blocks = blocks;
  }

  @Override
  public void look(Consumer<Problem> found) {
    DatanodeStorageReport[] live = blocks.datanodeStorageReport(DatanodeReportType.LIVE);
    List<String> dead = new ArrayList<>();
    for (DatanodeInfo node : blocks.datanodeReport(DatanodeReportType.DEAD)) {
      if (!node.isDecommissioned() && !node.isInMaintenance()) {
        dead.add(node.getXferAddrWithHostname());
      }
    }
    if (live.length == 0) {
      found.accept(
          new Problem(
              ProblemKind.NO_DATANODES, "No file can be read or written. Dead: " + dead.size()));
    }
    tell(found, ProblemKind.DEAD_DATANODES, dead);
    int stale = blocks.staleDatanodes();
    if (stale > 0) {
      found.accept(
          new Problem(ProblemKind.STALE_DATANODES, stale + " have not been heard of late"));
    }
    volumes(live, found);
    room(live, found);
  }

  private static void volumes(DatanodeStorageReport[] live, Consumer<Problem> found) {
    List<String> failed = new ArrayList<>();
    for (DatanodeStorageReport node : live) {
      if (Arrays.stream(node.getStorageReports()).anyMatch(StorageReport::isFailed)) {
        failed.add(node.getDatanodeInfo().getXferAddrWithHostname());
      }
    }
    tell(found, ProblemKind.FAILED_VOLUMES, failed);
  }

  private static void room(DatanodeStorageReport[] live, Consumer<Problem> found) {
    double capacity = 0;
    double remaining = 0;
    for (DatanodeStorageReport node : live) {
      capacity += node.getDatanodeInfo().getCapacity();
      remaining += node.getDatanodeInfo().getRemaining();
    }
    if (capacity > 0 && remaining < LEAST_FREE * capacity) {
      found.accept(
          new Problem(
              ProblemKind.CAPACITY_NEARLY_FULL,
              Math.round(100 * remaining / capacity) + " % of their space is left"));
    }
  }

  private static void tell(Consumer<Problem> found, ProblemKind kind, List<String> nodes) {
    if (!nodes.isEmpty()) {
      String more = nodes.size() > MOST_NAMED ? ", ..." : "";
      found.accept(
          new Problem(
              kind,
              nodes.size()
                  + ": "
                  + String.join(", ", nodes.stream().sorted().limit(MOST_NAMED).toList())
                  + more));
    }
  }
}
