package io.acaciafs.blocks;

import io.acaciafs.blocks.BlockRecord.Change;
import io.acaciafs.kv.Transaction;
import java.util.List;
import java.util.OptionalLong;

/**
 * What one reported replica does to the rows of its block, inside a transaction of its own. All
 * methods may be repeated with the same report. The block's row is guarded, so what is decided from
 * it holds at the commit: above all that a block without a row is deleted or never was.
 */
final class ReplicaUpdates {
  private final DatanodeRegistry registry;
  private final Invalidations invalidations;

  ReplicaUpdates(DatanodeRegistry registry, Invalidations invalidations) {
    this.registry = registry;
    this.invalidations = invalidations;
  }

  /**
   * A finalized replica is on a storage.
   *
   * @return whether the block's row has a replica more by it
   */
  boolean finalized(Transaction tx, Storage storage, long blockId, ReportedReplica replica) {
    if (isBeingDeleted(tx, storage, blockId, replica.generationStamp())) {
      return false;
    }
    BlockRecord record = BlockRows.get(tx, blockId);
    if (record == null) {
      invalidations.queue(tx, storage.index(), blockId, replica.generationStamp());
      return false;
    }
    Change change = record.withReplica(replica, registry::sameNode);
    if (!change.dropped().contains(replica)) {
      BlockRows.addToIndex(tx, storage.index(), blockId);
    }
    if (!change.record().equals(record)) {
      BlockRows.put(tx, blockId, change.record());
    }
    drop(tx, blockId, change.dropped());
    return change.added();
  }

  /**
   * A replica that is being written, or whose writer was lost, is on a storage. It is no replica of
   * its block yet.
   *
   * @param isAbandoned nobody writes it any more (RWR)
   */
  void unfinished(
      Transaction tx, Storage storage, long blockId, ReportedReplica replica, boolean isAbandoned) {
    if (isBeingDeleted(tx, storage, blockId, replica.generationStamp())) {
      return;
    }
    BlockRecord record = BlockRows.get(tx, blockId);
    boolean isOfNoUse =
        record == null
            || record.canSpare(replica)
                && !record.storages().contains(storage.index())
                && (isAbandoned || replica.generationStamp() < record.generationStamp());
    if (isOfNoUse) {
      invalidations.queue(tx, storage.index(), blockId, replica.generationStamp());
    }
  }

  /** The DataNode has deleted its replica. */
  void deleted(Transaction tx, Storage storage, long blockId) {
    missing(tx, storage, blockId);
    invalidations.confirm(tx, storage.datanode(), blockId);
  }

  /** A replica that the index names is not on its storage. */
  void missing(Transaction tx, Storage storage, long blockId) {
    BlockRecord record = BlockRows.get(tx, blockId);
    if (record != null) {
      BlockRecord without = record.withoutReplica(storage.index(), registry::sameNode);
      if (without != record) {
        BlockRows.put(tx, blockId, without);
      }
    }
    BlockRows.removeFromIndex(tx, storage.index(), blockId);
  }

  /** Replicas left their block's row: they leave the index, and their deletion is queued. */
  void drop(Transaction tx, long blockId, List<ReportedReplica> dropped) {
    for (ReportedReplica replica : dropped) {
      invalidations.queue(tx, replica.storage(), blockId, replica.generationStamp());
      BlockRows.removeFromIndex(tx, replica.storage(), blockId);
    }
  }

  /**
   * Whether the reported replica, or a newer one, is to be deleted there already. A deletion of an
   * older one is taken back: a newer replica has taken its place.
   */
  private boolean isBeingDeleted(
      Transaction tx, Storage storage, long blockId, long generationStamp) {
    OptionalLong queued = BlockRows.invalidation(tx, storage.index(), blockId);
    if (queued.isEmpty()) {
      return false;
    }
    if (queued.getAsLong() >= generationStamp) {
      return true;
    }
    BlockRows.forgetInvalidation(tx, storage.index(), blockId);
    return false;
  }
}
