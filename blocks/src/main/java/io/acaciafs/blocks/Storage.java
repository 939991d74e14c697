package io.acaciafs.blocks;

import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/**
 * A storage (a volume) of a DataNode, as memory holds it. Its index is what rows know it by, for
 * ever. Safe for use by many threads; {@code update} methods are called by reports.
 */
final class Storage {
  private final int index;
  private final Datanode datanode;
  private final PendingDeletions deletions = new PendingDeletions();
  private volatile DatanodeStorage description;

  /** Of the last heartbeat; null before the first one and when the last did not name it. */
  private volatile StorageReport report;

  private volatile int numBlocks;

  Storage(int index, Datanode datanode, DatanodeStorage description) {
    this.index = index;
    this.datanode = datanode;
    this.description = description;
  }

  int index() {
    return index;
  }

  String uuid() {
    return description.getStorageID();
  }

  Datanode datanode() {
    return datanode;
  }

  DatanodeStorage description() {
    return description;
  }

  void update(DatanodeStorage newDescription) {
    description = newDescription;
  }

  StorageReport report() {
    return report;
  }

  void update(StorageReport newReport) {
    report = newReport;
  }

  int numBlocks() {
    return numBlocks;
  }

  void updateNumBlocks(int reported) {
    numBlocks = reported;
  }

  PendingDeletions deletions() {
    return deletions;
  }

  /** Free bytes by the last heartbeat; 0 where new blocks may not go. */
  long writableBytes() {
    StorageReport last = report;
    return last == null || last.isFailed() || description.getState() != DatanodeStorage.State.NORMAL
        ? 0
        : last.getRemaining();
  }
}
