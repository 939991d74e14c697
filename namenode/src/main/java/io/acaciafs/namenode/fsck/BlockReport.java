package io.acaciafs.namenode.fsck;

import io.acaciafs.blocks.record.BlockReplicas;
import io.acaciafs.blocks.record.BlockReplicas.Replica;
import io.acaciafs.blocks.record.BlockReplicas.State;
import java.io.PrintWriter;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.NamenodeFsck;

/**
 * What fsck says of a block that is asked for by its name. Used by one thread.
 *
 * <p>Source of the texts: HDFS 3.5's NamenodeFsck.blockIdCK.
 */
final class BlockReport {
  private final FsckServices services;
  private final boolean showsMaintenance;
  private final PrintWriter out;

  BlockReport(FsckServices services, boolean showsMaintenance, PrintWriter out) {
    this.services = services;
    this.showsMaintenance = showsMaintenance;
    this.out = out;
  }

  /**
   * @param name {@code blk_} and the id
   */
  void print(String name) {
    if (!name.contains(Block.BLOCK_FILE_PREFIX)) {
      out.println("Incorrect blockId format: " + name);
      return;
    }
    out.print("\n");
    BlockReplicas block = services.blocks().inspector().inspect(Block.getBlockId(name));
    String path = block == null ? null : services.pathOfFile().apply(block.fileId());
    if (block == null || path == null) {
      out.println("Block " + name + " " + NamenodeFsck.NONEXISTENT_STATUS);
      return;
    }
    out.println("Block Id: " + name);
    out.println("Block belongs to: " + path);
    out.println("No. of Expected Replica: " + block.wanted());
    out.println("No. of live Replica: " + block.count(State.LIVE));
    out.println("No. of excess Replica: 0"); // they leave the block when their deletion is queued
    out.println(
        "No. of stale Replica: " + block.replicas().stream().filter(Replica::isUnverified).count());
    out.println("No. of decommissioned Replica: " + block.count(State.DECOMMISSIONED));
    out.println("No. of decommissioning Replica: " + block.count(State.DECOMMISSIONING));
    if (showsMaintenance) {
      out.println(
          "No. of entering maintenance Replica: " + block.count(State.ENTERING_MAINTENANCE));
      out.println("No. of in maintenance Replica: " + block.count(State.IN_MAINTENANCE));
    }
    out.println("No. of corrupted Replica: " + block.count(State.CORRUPT));
    List<Replica> replicas = block.replicas();
    for (int i = replicas.size() - 1; i >= 0; i--) {
      print(replicas.get(i));
    }
  }

  private void print(Replica replica) {
    out.println(
        "Block replica on datanode/rack: "
            + replica.place().getHostName()
            + replica.place().getNetworkLocation()
            + " "
            + status(replica));
  }

  private String status(Replica replica) {
    return switch (replica.state()) {
      case CORRUPT -> NamenodeFsck.CORRUPT_STATUS + "\t ReasonCode: " + replica.corruption();
      case DECOMMISSIONED -> NamenodeFsck.DECOMMISSIONED_STATUS;
      case DECOMMISSIONING -> NamenodeFsck.DECOMMISSIONING_STATUS;
      case ENTERING_MAINTENANCE ->
          showsMaintenance ? NamenodeFsck.ENTERING_MAINTENANCE_STATUS : ofNode(replica);
      case IN_MAINTENANCE ->
          showsMaintenance ? NamenodeFsck.IN_MAINTENANCE_STATUS : ofNode(replica);
      case LIVE -> ofNode(replica);
    };
  }

  private static String ofNode(Replica replica) {
    return replica.isNodeStale() ? NamenodeFsck.STALE_STATUS : NamenodeFsck.HEALTHY_STATUS;
  }
}
