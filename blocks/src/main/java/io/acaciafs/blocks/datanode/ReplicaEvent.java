package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.record.ReportedReplica;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;

/** What a DataNode says of one replica. */
public record ReplicaEvent(Storage storage, ReceivedDeletedBlockInfo info) {
  public long blockId() {
    return info.getBlock().getBlockId();
  }

  public ReportedReplica replica() {
    return new ReportedReplica(
        storage.index(), info.getBlock().getNumBytes(), info.getBlock().getGenerationStamp());
  }

  /** In the order of the reports, whose storages are known. */
  public static List<ReplicaEvent> of(Datanode datanode, StorageReceivedDeletedBlocks[] reports) {
    List<ReplicaEvent> events = new ArrayList<>();
    for (StorageReceivedDeletedBlocks report : reports) {
      Storage storage =
          Objects.requireNonNull(
              datanode.storage(report.getStorage().getStorageID()), "the storage is known");
      for (ReceivedDeletedBlockInfo info : report.getBlocks()) {
        events.add(new ReplicaEvent(storage, info));
      }
    }
    return events;
  }
}
