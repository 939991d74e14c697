package io.acaciafs.blocks.datanode;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.jspecify.annotations.Nullable;

/**
 * A storage (a volume) of a DataNode, as memory holds it. Its index is what rows know it by, for
 * ever. Safe for use by many threads; {@code update} methods are called by reports.
 */
public final class Storage {
  private final int index;
  private final Datanode datanode;
  private final PendingDeletions deletions = new PendingDeletions();
  private volatile DatanodeStorage description;

  /** Of the last heartbeat; null before the first one and when the last did not name it. */
  private volatile @Nullable StorageReport report;

  private volatile @Nullable ReplicaPlace place;
  private volatile int numBlocks;

  /** Whether it was reported on since its replicas were counted. */
  private volatile boolean uncounted = true;

  private volatile boolean lost;
  private volatile boolean failed;
  private volatile boolean verified = true;
  private volatile boolean restored;
  private final PendingTransfers transfers = new PendingTransfers();

  public Storage(int index, Datanode datanode, DatanodeStorage description) {
    this.index = index;
    this.datanode = datanode;
    this.description = description;
  }

  public int index() {
    return index;
  }

  public String uuid() {
    return description.getStorageID();
  }

  public Datanode datanode() {
    return datanode;
  }

  public DatanodeStorage description() {
    return description;
  }

  public StorageType type() {
    return description.getStorageType();
  }

  public void update(DatanodeStorage newDescription) {
    description = newDescription;
    datanode.version().raise();
  }

  /** As clients are told of it. */
  public ReplicaPlace place() {
    DatanodeInfo info = datanode.info();
    DatanodeStorage described = description;
    ReplicaPlace known = place;
    if (known == null || !known.isOf(info, described)) {
      known = new ReplicaPlace(info, described);
      place = known;
    }
    return known;
  }

  public @Nullable StorageReport report() {
    return report;
  }

  /**
   * @param newReport null: the DataNode does not name this storage any more
   */
  public void update(@Nullable StorageReport newReport) {
    report = newReport;
    boolean wasFailed = failed;
    failed = newReport == null || newReport.isFailed();
    if (failed != wasFailed) {
      datanode.version().raise();
    }
  }

  /** The last heartbeat says that its disk is not there or does not work. */
  public boolean isFailed() {
    return failed;
  }

  /** Its replicas do not count, and that is stored: see {@link StorageWatch}. */
  public boolean isLost() {
    return lost;
  }

  void lost(boolean isLost) {
    if (isLost != lost) {
      lost = isLost;
      datanode.version().raise();
    }
  }

  /** Whether its DataNode has named its replicas since it was last started, as far as seen. */
  public boolean isVerified() {
    return verified;
  }

  void verified(boolean isVerified) {
    verified = isVerified;
  }

  /** Whether what is stored of it is from a backup, and its DataNode does not know that. */
  boolean isRestored() {
    return restored && !verified;
  }

  void restored(boolean isRestored) {
    restored = isRestored;
  }

  /** Rows may wait for it that nobody here expects. */
  void wake() {
    deletions.rows().wake();
    transfers.rows().wake();
  }

  public PendingTransfers transfers() {
    return transfers;
  }

  public int numBlocks() {
    return numBlocks;
  }

  public void updateNumBlocks(int counted) {
    numBlocks = counted;
  }

  /** Its DataNode has named all of its replicas, and that is stored. */
  public void counted(int replicas) {
    uncounted = false;
    numBlocks = replicas;
  }

  /** Replicas may have come or gone. */
  public void replicasChanged() {
    uncounted = true;
  }

  /** Once after each change. */
  public boolean takeUncounted() {
    boolean isUncounted = uncounted;
    uncounted = false;
    return isUncounted;
  }

  public PendingDeletions deletions() {
    return deletions;
  }

  /** Whether rows with something to do for it have been expected since then. */
  public boolean isAwakeSince(long ms) {
    return deletions.rows().isExpectedSince(ms) || transfers.rows().isExpectedSince(ms);
  }

  /** Free bytes by the last heartbeat; 0 where new blocks may not go. */
  public long writableBytes() {
    StorageReport last = report;
    return last == null || last.isFailed() || description.getState() != DatanodeStorage.State.NORMAL
        ? 0
        : last.getRemaining();
  }
}
