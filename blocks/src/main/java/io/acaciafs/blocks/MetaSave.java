package io.acaciafs.blocks;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.DatanodeReports;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockReplicas;
import io.acaciafs.blocks.record.BlockReplicas.Replica;
import io.acaciafs.blocks.record.BlockReplicas.State;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.RedundancyCounters;
import io.acaciafs.blocks.redundancy.BlockRecordWriter;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import java.io.PrintWriter;
import java.sql.Time;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done about blocks, and what DataNodes are there, as text for administrators, in
 * bounded memory. Source of the format: HDFS 3.5's BlockManager.metaSave. Stateless.
 */
final class MetaSave {
  private static final List<RepairQueue> LOW_REDUNDANCY =
      List.of(
          RepairQueue.HIGHEST_PRIORITY,
          RepairQueue.VERY_LOW_REDUNDANCY,
          RepairQueue.LOW_REDUNDANCY,
          RepairQueue.BADLY_DISTRIBUTED);

  private final Reader reader;
  private final DatanodeRegistry registry;
  private final DatanodeReports reports;
  private final BlockInspector inspector;
  private final BlockRecordWriter recordWriter;

  MetaSave(
      Reader reader,
      DatanodeRegistry registry,
      DatanodeReports reports,
      BlockInspector inspector,
      BlockRecordWriter recordWriter) {
    this.reader = reader;
    this.registry = registry;
    this.reports = reports;
    this.inspector = inspector;
    this.recordWriter = recordWriter;
  }

  /**
   * @param pathOf the path of a file by its id; null where it has none
   */
  void write(PrintWriter out, LongFunction<@Nullable String> pathOf) {
    out.println("Live Datanodes: " + reports.datanodes(DatanodeReportType.LIVE).length);
    out.println("Dead Datanodes: " + reports.datanodes(DatanodeReportType.DEAD).length);
    RedundancyCounters counters = RedundancyCounters.read(reader);
    out.println("Metasave: Blocks waiting for reconstruction: " + counters.lowRedundancy());
    LOW_REDUNDANCY.forEach(queue -> forEach(queue, id -> block(out, id, pathOf)));
    out.println("Metasave: Blocks currently missing: " + counters.missing());
    forEach(RepairQueue.MISSING, id -> block(out, id, pathOf));
    out.println("Mis-replicated blocks that have been postponed:");
    forEach(RepairQueue.SURPLUS, id -> block(out, id, pathOf));
    pending(out);
    deletions(out);
    out.println("Corrupt Blocks:");
    for (RepairQueue queue : RepairQueue.values()) {
      if (queue != RepairQueue.NONE && queue != RepairQueue.UNRECOGNIZED) {
        forEach(queue, id -> corrupt(out, id));
      }
    }
    datanodes(out);
  }

  private void forEach(RepairQueue queue, Consumer<Long> visitor) {
    forEach(
        BlockKeys.repairsIn(queue), row -> visitor.accept(BlockKeys.blockIdInRepair(row.key())));
  }

  private long forEach(KeyRange range, Consumer<Row> visitor) {
    long rows = 0;
    try (Scan scan = reader.scan(range)) {
      for (; scan.hasNext(); rows++) {
        visitor.accept(scan.next());
      }
    }
    return rows;
  }

  private void block(PrintWriter out, long blockId, LongFunction<@Nullable String> pathOf) {
    BlockRecord record = BlockRows.read(reader, blockId);
    BlockReplicas found = inspector.inspect(blockId);
    if (record == null || found == null) {
      return; // its file was deleted a moment ago
    }
    String path = pathOf.apply(found.fileId());
    int leaving = found.count(State.DECOMMISSIONED) + found.count(State.DECOMMISSIONING);
    out.print((path == null ? "[orphaned]" : path) + ": " + nameOf(blockId, record));
    out.print(found.count(State.LIVE) + leaving > 0 ? "" : " MISSING");
    out.print(
        " (replicas: live: "
            + found.count(State.LIVE)
            + " decommissioning and decommissioned: "
            + leaving
            + " corrupt: "
            + found.count(State.CORRUPT)
            + " in excess: 0 maintenance mode: "
            + (found.count(State.ENTERING_MAINTENANCE) + found.count(State.IN_MAINTENANCE))
            + ") ");
    for (Replica replica : found.replicas()) {
      String state =
          switch (replica.state()) {
            case LIVE -> "";
            case DECOMMISSIONING, DECOMMISSIONED -> "(decommissioned)";
            case ENTERING_MAINTENANCE, IN_MAINTENANCE -> "(maintenance)";
            case CORRUPT -> "(corrupt)";
          };
      String doubt = replica.isUnverified() ? " (block deletions maybe out of date)" : "";
      out.print(" " + replica.place().getXferAddr() + state + doubt + " : ");
    }
    out.println();
  }

  private static Block nameOf(long blockId, BlockRecord record) {
    return new Block(blockId, record.numBytes(), record.generationStamp());
  }

  private void pending(PrintWriter out) {
    KeyRange all = KeyRange.ofTable(BlockKeys.PENDING_REPAIRS);
    out.println("Metasave: Blocks being reconstructed: " + forEach(all, row -> {}));
    forEach(all, row -> pending(out, row.key()));
  }

  private void pending(PrintWriter out, Key key) {
    long blockId = BlockKeys.blockIdInPendingRepair(key);
    BlockRecord record = BlockRows.read(reader, blockId);
    if (record != null) {
      out.println(
          nameOf(blockId, record)
              + " StartTime: "
              + new Time(BlockKeys.dueMsIn(key) - recordWriter.pendingTimeoutMs())
              + " NumReconstructInProgress: "
              + record.expected().size());
    }
  }

  private void deletions(PrintWriter out) {
    Set<Datanode> nodes = new HashSet<>();
    long blocks = 0;
    for (Datanode node : sorted()) {
      for (Storage storage : node.storages()) {
        long of = forEach(BlockKeys.invalidationsOf(storage.index()), row -> {});
        if (of > 0) {
          nodes.add(node);
        }
        blocks += of;
      }
    }
    out.println(
        "Metasave: Blocks " + blocks + " waiting deletion from " + nodes.size() + " datanodes.");
    for (Datanode node : sorted()) {
      if (nodes.contains(node)) {
        out.println(node.id());
        String[] separator = {""};
        for (Storage storage : node.storages()) {
          forEach(
              BlockKeys.invalidationsOf(storage.index()),
              row -> {
                out.print(
                    separator[0]
                        + new Block(
                            BlockKeys.blockIdIn(row.key()),
                            0,
                            BlockRows.generationStampIn(row.value())));
                separator[0] = ",";
              });
        }
        out.println();
      }
    }
  }

  private void corrupt(PrintWriter out, long blockId) {
    BlockRecord record = BlockRows.read(reader, blockId);
    BlockReplicas found = inspector.inspect(blockId);
    if (record == null || found == null) {
      return;
    }
    for (Replica replica : found.replicas()) {
      if (replica.state() == State.CORRUPT) {
        out.println(
            "Block="
                + nameOf(blockId, record)
                + "\tSize="
                + record.numBytes()
                + "\tNode="
                + replica.place().getXferAddr()
                + "\tStorageID="
                + replica.place().getStorageID()
                + "\tStorageState=NORMAL\tTotalReplicas="
                + found.replicas().size()
                + "\tReason="
                + replica.corruption());
      }
    }
  }

  private void datanodes(PrintWriter out) {
    List<Datanode> nodes = sorted();
    out.println("Metasave: Number of datanodes: " + nodes.size());
    for (Datanode node : nodes) {
      out.print(node.info().dumpDatanode());
      int copies = node.waitingTransfers();
      out.print(copies > 0 ? " " + copies + " blocks to be replicated;" : "");
      int deletions =
          node.storages().stream().mapToInt(storage -> storage.deletions().unconfirmed()).sum();
      out.print(deletions > 0 ? " " + deletions + " blocks to be invalidated;" : "");
      out.println();
    }
  }

  private List<Datanode> sorted() {
    return registry.view().datanodes().stream()
        .sorted(Comparator.comparing(Datanode::uuid))
        .toList();
  }
}
