package io.acaciafs.blocks.redundancy;

import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRecord.Change;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.ReportedReplica;
import io.acaciafs.blocks.record.TruncateCopies;
import io.acaciafs.blocks.record.UnfinishedReplica;
import io.acaciafs.kv.Transaction;
import java.util.OptionalLong;

/**
 * What one reported replica does to the rows of its block, inside a transaction of its own. All
 * methods may be repeated with the same report. The block's row is guarded, so what is decided from
 * it holds at the commit: above all that a block without a row is deleted or never was.
 */
public final class ReplicaUpdates {
  private final DatanodeRegistry registry;
  private final Invalidations invalidations;
  private final BlockRecordWriter recordWriter;

  public ReplicaUpdates(
      DatanodeRegistry registry, Invalidations invalidations, BlockRecordWriter recordWriter) {
    this.registry = registry;
    this.invalidations = invalidations;
    this.recordWriter = recordWriter;
  }

  /**
   * A finalized replica is on a storage.
   *
   * @return whether the block's row has a replica more by it
   */
  public boolean finalized(Transaction tx, Storage storage, long blockId, ReportedReplica replica) {
    return finalized(tx, storage, blockId, replica, 0);
  }

  /**
   * @param deleteHint the storage whose replica this one is to take the place of; 0 for none
   */
  public boolean finalized(
      Transaction tx, Storage storage, long blockId, ReportedReplica replica, int deleteHint) {
    BlockRecord record = BlockRows.get(tx, blockId);
    if (isBeingDeleted(tx, storage, blockId, replica.generationStamp())) {
      return false;
    }
    if (record == null) {
      deleteOrphan(tx, replica, blockId);
      return false;
    }
    Change change = record.withReplica(replica, registry::sameNode);
    BlockRecord changed = change.record();
    if (deleteHint != 0) {
      changed = changed.withRepairState(changed.repairState().withDeleteHint(deleteHint));
    }
    BlockRecord saved = recordWriter.save(tx, blockId, record, changed);
    if (saved.holds(storage.index())) {
      BlockRows.addToIndex(tx, storage.index(), blockId);
    }
    for (int other : record.storages()) {
      if (registry.sameNode(other, storage.index()) && !saved.holds(other)) { // it was moved
        BlockRows.removeFromIndex(tx, other, blockId);
      }
    }
    return change.added();
  }

  /**
   * A finalized replica is on a storage, if its block is not complete and its writer put it there;
   * else nothing happens.
   *
   * @return whether the block's row has a replica more by it
   */
  public boolean awaited(Transaction tx, Storage storage, long blockId, ReportedReplica replica) {
    BlockRecord record = BlockRows.read(tx.unguarded(), blockId);
    if (record == null) {
      return false;
    }
    boolean isAwaited =
        !record.isComplete()
            && record.generationStamp() == replica.generationStamp()
            && record.written().stream()
                .anyMatch(expected -> registry.sameNode(expected, storage.index()));
    if (!isAwaited || !record.equals(BlockRows.get(tx, blockId))) {
      return false;
    }
    return finalized(tx, storage, blockId, replica, 0);
  }

  /**
   * A replica that is being written, or whose writer was lost, is on a storage. It is no replica of
   * its block yet; as long as the block is not complete it may become one, so it is remembered.
   *
   * @param isAbandoned nobody writes it any more (RWR)
   */
  public void unfinished(
      Transaction tx, Storage storage, long blockId, ReportedReplica replica, boolean isAbandoned) {
    BlockRecord record = BlockRows.get(tx, blockId);
    if (isBeingDeleted(tx, storage, blockId, replica.generationStamp())) {
      return;
    }
    if (record == null) {
      deleteOrphan(tx, replica, blockId);
      return;
    }
    BlockRecord changed =
        new UnfinishedReplica(replica, isAbandoned, registry::sameNode).applyTo(record);
    if (changed != record
        && recordWriter.save(tx, blockId, record, changed).holds(storage.index())) {
      BlockRows.addToIndex(tx, storage.index(), blockId);
    }
  }

  /** Of a copy that is being made the DataNode that leads says later where it is. */
  private void deleteOrphan(Transaction tx, ReportedReplica replica, long blockId) {
    if (!TruncateCopies.isBeingMade(tx, blockId)) {
      invalidations.queueOrphan(tx, replica, blockId);
    }
  }

  /** The DataNode has deleted its replica. */
  public void deleted(Transaction tx, Storage storage, long blockId) {
    missing(tx, storage, blockId);
    invalidations.confirm(tx, storage.datanode(), blockId);
  }

  /** A replica that the index names is not on its storage. */
  public void missing(Transaction tx, Storage storage, long blockId) {
    // A block that is gone does not come back, so nothing has to guard its absence.
    boolean isGone = BlockRows.read(tx.unguarded(), blockId) == null;
    BlockRecord record = isGone ? null : BlockRows.get(tx, blockId);
    if (record != null) {
      BlockRecord without = record.withoutReplica(storage.index(), registry::sameNode);
      if (without != record) {
        recordWriter.save(tx, blockId, record, without);
      }
    }
    BlockRows.removeFromIndex(tx, storage.index(), blockId);
  }

  /** The bytes of a replica were found to be wrong. */
  public void corrupt(Transaction tx, int storage, long blockId, long generationStamp) {
    BlockRecord record = BlockRows.get(tx, blockId);
    if (record != null && record.generationStamp() == generationStamp) {
      recordWriter.save(tx, blockId, record, record.withCorrupt(storage));
    }
  }

  /** Whether {@link #dropOneCorrupt} would. */
  public boolean canDropOneCorrupt(BlockRecord record) {
    return record.repairState().corrupt().stream()
        .anyMatch(replica -> invalidations.canSpare(record, replica));
  }

  /** Has one corrupt replica deleted, though there are not enough good ones, if one is there. */
  public void dropOneCorrupt(Transaction tx, long blockId) {
    BlockRecord record = BlockRows.get(tx, blockId);
    if (record == null) {
      return;
    }
    record.repairState().corrupt().stream()
        .filter(replica -> invalidations.canSpare(record, replica))
        .filter(replica -> invalidations.areCertain(tx, record))
        .findFirst()
        .ifPresent(
            replica -> {
              BlockRecord without =
                  record.withRepairState(record.repairState().withoutCorrupt(replica.storage()));
              BlockRecord saved = recordWriter.save(tx, blockId, record, without);
              invalidations.queue(tx, replica, blockId, saved);
              BlockRows.removeFromIndex(tx, replica.storage(), blockId);
            });
  }

  /** Looks at a block again because its DataNodes have changed. */
  public void review(Transaction tx, long blockId) {
    BlockRecord record = BlockRows.get(tx, blockId);
    if (record != null) {
      recordWriter.save(tx, blockId, record, record);
    }
  }

  /**
   * Whether the reported replica is to be deleted there already. A deletion of another one is taken
   * back: DataNodes delete nothing but what has the very stamp, and this one has taken its place.
   *
   * <p>Called behind the guarded read of the block's row: one that is queued later changes that
   * row, too.
   */
  private boolean isBeingDeleted(
      Transaction tx, Storage storage, long blockId, long generationStamp) {
    OptionalLong queued = BlockRows.invalidation(tx, storage.index(), blockId);
    if (queued.isEmpty()) {
      return false;
    }
    if (queued.getAsLong() == generationStamp) {
      return true;
    }
    BlockRows.forgetInvalidation(tx, storage.index(), blockId);
    storage.deletions().confirmed(blockId);
    return false;
  }
}
