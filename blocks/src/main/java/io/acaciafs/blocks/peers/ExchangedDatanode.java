package io.acaciafs.blocks.peers;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.proto.HeardDatanode;
import io.acaciafs.blocks.proto.HeardStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** A DataNode as its owner describes it to other NameNodes, and back. Stateless. */
final class ExchangedDatanode {
  private ExchangedDatanode() {}

  /**
   * Shows in memory what the owner of a DataNode knows of it.
   *
   * @param heardMs when the owner had its last heartbeat
   */
  static void show(
      DatanodeRegistry registry,
      Liveness liveness,
      Datanode datanode,
      HeardDatanode heard,
      long heardMs) {
    for (HeardStorage stored : heard.getStoragesList()) {
      Storage storage = registry.storage(stored.getIndex());
      if (storage != null && storage.datanode() == datanode) {
        storage.update(
            stored.getIsFailed()
                ? null
                : new StorageReport(
                    storage.description(),
                    false,
                    stored.getCapacity(),
                    stored.getDfsUsed(),
                    stored.getRemaining(),
                    stored.getBlockPoolUsed(),
                    stored.getNonDfsUsed()));
        storage.updateNumBlocks(stored.getBlocks());
        storage.deletions().unconfirmedElsewhere(stored.getUnconfirmedDeletions());
      }
    }
    datanode.heard(
        new Datanode.Load(
            heard.getCacheCapacity(),
            heard.getCacheUsed(),
            heard.getXceivers(),
            heard.getTransfers()),
        heardMs,
        liveness);
  }

  /**
   * What others are to know of a DataNode that this NameNode does not own.
   *
   * @param isWanted whether its owner is to leave it to this NameNode
   */
  static HeardDatanode describeOther(Datanode datanode, boolean isWanted, long nowMs) {
    return describeHeard(datanode, nowMs).setIsWanted(isWanted).build();
  }

  private static HeardDatanode.Builder describeHeard(Datanode datanode, long nowMs) {
    return HeardDatanode.newBuilder()
        .setUuid(datanode.uuid())
        .setSilentMs(Math.max(0, nowMs - datanode.lastBeatMs()));
  }

  /** What others are to know of a DataNode that this NameNode owns. */
  static HeardDatanode describeOwn(Datanode datanode, long nowMs) {
    HeardDatanode.Builder node = describeHeard(datanode, nowMs);
    long storedMs = datanode.stream().storedHereMs();
    Datanode.Load load = datanode.load();
    node.setIsOwned(true)
        .setStoredBeforeMs(
            storedMs == Long.MIN_VALUE || datanode.missesReport()
                ? 0
                : Math.max(1, nowMs - storedMs))
        .setCacheCapacity(load.cacheCapacityBytes())
        .setCacheUsed(load.cacheUsedBytes())
        .setXceivers(load.xceivers())
        .setTransfers(load.transfers());
    for (Storage storage : datanode.storages()) {
      if (storage.report() != null || storage.isFailed()) { // else nothing was heard of it yet
        node.addStorages(describe(storage));
      }
    }
    return node.build();
  }

  private static HeardStorage describe(Storage storage) {
    HeardStorage.Builder stored =
        HeardStorage.newBuilder()
            .setIndex(storage.index())
            .setIsFailed(storage.isFailed())
            .setBlocks(storage.numBlocks())
            .setUnconfirmedDeletions(storage.deletions().unconfirmed());
    StorageReport report = storage.report();
    if (report != null) {
      stored
          .setCapacity(report.getCapacity())
          .setDfsUsed(report.getDfsUsed())
          .setRemaining(report.getRemaining())
          .setBlockPoolUsed(report.getBlockPoolUsed())
          .setNonDfsUsed(report.getNonDfsUsed());
    }
    return stored.build();
  }
}
