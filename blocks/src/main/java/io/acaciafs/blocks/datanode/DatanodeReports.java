package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.RedundancyCounters;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.value.Saturated;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** What clients and administrators may know of DataNodes. Safe for use by many threads. */
public final class DatanodeReports {
  private static final long NOT_KNOWN = -1;

  private final DatanodeRegistry registry;
  private final Liveness liveness;
  private final UnregisteredHosts absentHosts;

  public DatanodeReports(
      DatanodeRegistry registry, Liveness liveness, UnregisteredHosts absentHosts) {
    this.registry = registry;
    this.liveness = liveness;
    this.absentHosts = absentHosts;
  }

  public DatanodeInfo[] datanodes(DatanodeReportType type) {
    return Stream.concat(
            select(type).stream().map(DatanodeReports::copyOfInfo), absent(type).stream())
        .toArray(DatanodeInfo[]::new);
  }

  public DatanodeStorageReport[] storages(DatanodeReportType type) {
    return Stream.concat(
            select(type).stream()
                .map(
                    node ->
                        new DatanodeStorageReport(
                            copyOfInfo(node),
                            node.storages().stream()
                                .map(Storage::report)
                                .filter(Objects::nonNull)
                                .toArray(StorageReport[]::new))),
            absent(type).stream()
                .map(node -> new DatanodeStorageReport(node, StorageReport.EMPTY_ARRAY)))
        .toArray(DatanodeStorageReport[]::new);
  }

  /** Hosts on the list without a known DataNode. */
  private List<DatanodeInfo> absent(DatanodeReportType type) {
    return switch (type) {
      case ALL, DEAD -> absentHosts.of(known());
      default -> List.of();
    };
  }

  /**
   * As in HDFS: leaves out a DataNode that was dead before this process began, until it registers.
   */
  private List<Datanode> known() {
    return registry.view().datanodes().stream().filter(node -> !node.isForgotten()).toList();
  }

  /** In the order of {@link ClientProtocol#getStats}; -1 for what is not counted. */
  public long[] stats(Reader reader) {
    long[] stats = new long[ClientProtocol.STATS_ARRAY_LENGTH];
    Arrays.fill(stats, NOT_KNOWN);
    long capacity = 0;
    long used = 0;
    long remaining = 0;
    for (Datanode node : select(DatanodeReportType.LIVE)) {
      capacity = Saturated.add(capacity, node.info().getCapacity());
      used = Saturated.add(used, node.info().getDfsUsed());
      remaining = Saturated.add(remaining, node.info().getRemaining());
    }
    stats[ClientProtocol.GET_STATS_CAPACITY_IDX] = capacity;
    stats[ClientProtocol.GET_STATS_USED_IDX] = used;
    stats[ClientProtocol.GET_STATS_REMAINING_IDX] = remaining;
    RedundancyCounters counters = RedundancyCounters.read(reader);
    stats[ClientProtocol.GET_STATS_LOW_REDUNDANCY_IDX] =
        counters.lowRedundancy() + counters.missing();
    stats[ClientProtocol.GET_STATS_CORRUPT_BLOCKS_IDX] = counters.corrupt();
    stats[ClientProtocol.GET_STATS_MISSING_BLOCKS_IDX] = counters.missing();
    stats[ClientProtocol.GET_STATS_MISSING_REPL_ONE_BLOCKS_IDX] =
        counters.missingWithReplicationOne();
    stats[ClientProtocol.GET_STATS_BYTES_IN_FUTURE_BLOCKS_IDX] = 0;
    stats[ClientProtocol.GET_STATS_PENDING_DELETION_BLOCKS_IDX] = pendingDeletions();
    return stats;
  }

  /** As getStats counts them. */
  public ReplicatedBlockStats blockStats(Reader reader) {
    RedundancyCounters counters = RedundancyCounters.read(reader);
    return new ReplicatedBlockStats(
        counters.lowRedundancy(),
        counters.corrupt(),
        counters.missing(),
        counters.missingWithReplicationOne(),
        0,
        pendingDeletions(),
        counters.in(RepairQueue.BADLY_DISTRIBUTED),
        counters.in(RepairQueue.HIGHEST_PRIORITY));
  }

  /** Deletions that DataNodes were asked for and have not confirmed. */
  private long pendingDeletions() {
    return registry.view().datanodes().stream()
        .flatMap(node -> node.storages().stream())
        .mapToLong(storage -> storage.deletions().unconfirmed())
        .sum();
  }

  public int live() {
    return select(DatanodeReportType.LIVE).size();
  }

  public int stale() {
    return (int) known().stream().filter(node -> liveness.of(node) == Liveness.State.STALE).count();
  }

  /** Copies that DataNodes are to make and have not been told of yet, nearly. */
  public long waitingTransfers() {
    return registry.view().datanodes().stream().mapToLong(Datanode::waitingTransfers).sum();
  }

  private List<Datanode> select(DatanodeReportType type) {
    return known().stream()
        .filter(absentHosts::isIncluded)
        .filter(
            node ->
                switch (type) {
                  case ALL -> true;
                  case LIVE -> liveness.isAlive(node);
                  case DEAD -> !liveness.isAlive(node);
                  case DECOMMISSIONING -> node.adminState() == AdminStates.DECOMMISSION_INPROGRESS;
                  case ENTERING_MAINTENANCE ->
                      node.adminState() == AdminStates.ENTERING_MAINTENANCE;
                  case IN_MAINTENANCE -> node.adminState() == AdminStates.IN_MAINTENANCE;
                })
        .toList();
  }

  private static DatanodeInfo copyOfInfo(Datanode node) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setFrom(node.info())
        .setNumBlocks(node.numBlocks())
        .build();
  }
}
