package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.namenode.monitor.DatanodeFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** Whether DataNodes are there, whole, and have room. */
public final class DatanodeChecks implements ProblemCheck {
  /** More are counted only. */
  private static final int MOST_NAMED = 5;

  private static final double LEAST_FREE = 0.1;

  private final Supplier<DatanodeFigures> datanodes;
  private final IntSupplier stale;

  /**
   * @param datanodes as they were some seconds ago at most
   * @param stale how many are
   */
  public DatanodeChecks(Supplier<DatanodeFigures> datanodes, IntSupplier stale) {
    this.datanodes = datanodes;
    this.stale = stale;
  }

  @Override
  public void look(Consumer<Problem> found) {
    DatanodeFigures nodes = datanodes.get();
    List<DatanodeStorageReport> live = nodes.live();
    List<String> dead = new ArrayList<>();
    for (DatanodeStorageReport report : nodes.dead()) {
      DatanodeInfo node = report.getDatanodeInfo();
      if (!node.isDecommissioned() && !node.isInMaintenance()) {
        dead.add(node.getXferAddrWithHostname());
      }
    }
    if (live.isEmpty()) {
      found.accept(
          new Problem(
              ProblemKind.NO_DATANODES, "No file can be read or written. Dead: " + dead.size()));
    }
    tell(found, ProblemKind.DEAD_DATANODES, dead);
    int silent = stale.getAsInt();
    if (silent > 0) {
      found.accept(
          new Problem(ProblemKind.STALE_DATANODES, silent + " have not been heard of late"));
    }
    volumes(live, found);
    room(live, found);
  }

  private static void volumes(List<DatanodeStorageReport> live, Consumer<Problem> found) {
    List<String> failed = new ArrayList<>();
    for (DatanodeStorageReport node : live) {
      if (Arrays.stream(node.getStorageReports()).anyMatch(StorageReport::isFailed)) {
        failed.add(node.getDatanodeInfo().getXferAddrWithHostname());
      }
    }
    tell(found, ProblemKind.FAILED_VOLUMES, failed);
  }

  private static void room(List<DatanodeStorageReport> live, Consumer<Problem> found) {
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
