package io.acaciafs.blocks.redundancy;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.DatanodeRows;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.datanode.StoredReplicaStates;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.ReportedReplica;
import io.acaciafs.blocks.settings.BlockSettings;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.Block;

/**
 * Replicas that DataNodes are to delete. The row is written in the transaction in which the replica
 * leaves its block's row, and removed when the DataNode says that the replica is gone; in between
 * it is sent with heartbeats. So a command is safe, whichever NameNode sends it, and none is
 * forgotten.
 */
public final class Invalidations {
  private static final Block[] NOTHING = {};

  private final DatanodeRegistry registry;
  private final StoredReplicaStates replicaStates;
  private final Ownership ownership;
  private final long deletesFromMs;
  private final Clock clock;
  private volatile int limit;
  private final long resendMs;

  public Invalidations(
      DatanodeRegistry registry,
      StoredReplicaStates replicaStates,
      Ownership ownership,
      Clock clock,
      BlockSettings settings) {
    this.registry = registry;
    this.replicaStates = replicaStates;
    this.ownership = ownership;
    this.clock = clock;
    this.limit = settings.deletion().limit();
    this.resendMs = settings.deletion().resendMs();
    this.deletesFromMs = clock.millis() + settings.deletion().delayMs();
  }

  /** From now on this limit holds. */
  public void configure(BlockSettings settings) {
    limit = settings.deletion().limit();
  }

  /**
   * Queues the deletion of a replica, which leaves its block's row with this transaction.
   *
   * @param remaining the block's row as the transaction leaves it
   * @throws IllegalStateException when the row would be left without a good replica on another
   *     DataNode, that lives and has named it since its start: then the transaction must not be
   *     committed
   */
  public void queue(Transaction tx, ReportedReplica replica, long blockId, BlockRecord remaining) {
    if (remaining.holds(replica.storage()) || !canSpare(remaining, replica)) {
      throw new IllegalStateException(
          "Refused to delete the last replica of block " + blockId + ": " + replica);
    }
    write(tx, replica, blockId);
  }

  /**
   * Queues the deletion of a replica of a block that is not there.
   *
   * @throws IllegalStateException when there is such a block
   */
  void queueOrphan(Transaction tx, ReportedReplica replica, long blockId) {
    if (BlockRows.get(tx, blockId) != null) {
      throw new IllegalStateException(
          "Refused to delete a replica of block " + blockId + ", which is there: " + replica);
    }
    write(tx, replica, blockId);
  }

  /**
   * Queues the deletion of all replicas of a block, wherever they are or were expected.
   *
   * @param removed the block's row, which the caller removes with the same transaction
   */
  public void queueAll(Transaction tx, long blockId, BlockRecord removed) {
    Stream.concat(removed.storages().stream(), removed.expected().stream())
        .forEach(
            storage ->
                write(tx, new ReportedReplica(storage, 0, removed.generationStamp()), blockId));
    // behind the others: of these the stamp is known
    Stream.concat(removed.reported().stream(), removed.repairState().corrupt().stream())
        .forEach(replica -> write(tx, replica, blockId));
  }

  /** Whether the replica may be deleted: a good one is there, and on another DataNode. */
  boolean canSpare(BlockRecord record, ReportedReplica replica) {
    int storage = replica.storage();
    return record.canSpare(
        replica,
        other -> replicaStates.isVerified(other) && !replicaStates.sameNode(other, storage));
  }

  /**
   * Whether the replicas that are left can be relied on: where another NameNode may just have heard
   * otherwise, the rows of their storages say it, which the commit then guards.
   */
  public boolean areCertain(Transaction tx, BlockRecord left) {
    return ownership.isAlone()
        || left.storages().stream()
            .filter(replicaStates::isVerified)
            .map(registry::storage)
            .allMatch(storage -> DatanodeRows.isVerified(tx, storage));
  }

  private void write(Transaction tx, ReportedReplica replica, long blockId) {
    int storage = replica.storage();
    BlockRows.putInvalidation(tx, storage, blockId, replica.generationStamp());
    Storage known = registry.storage(storage);
    if (known != null) {
      known.deletions().rows().expect(clock.millis()); // a hint; harmless if the commit fails
    }
  }

  /** What one heartbeat carries; may be empty. */
  public Block[] next(Reader reader, Datanode datanode) {
    if (clock.millis() < deletesFromMs) {
      return NOTHING;
    }
    List<Block> replicas = new ArrayList<>();
    for (Storage storage : datanode.storages()) {
      storage.deletions().next(reader, storage.index(), replicas, limit, clock.millis(), resendMs);
    }
    return replicas.toArray(Block[]::new);
  }

  /**
   * The DataNode holds no such replica any more: it was asked for on whichever storage the block
   * had been expected.
   */
  void confirm(Transaction tx, Datanode datanode, long blockId) {
    Collection<Storage> storages = datanode.storages();
    tx.remoteReads()
        .prefetch(
            storages.stream()
                .map(storage -> BlockKeys.invalidation(storage.index(), blockId))
                .toList());
    for (Storage storage : storages) {
      if (BlockRows.invalidation(tx, storage.index(), blockId).isPresent()) {
        BlockRows.forgetInvalidation(tx, storage.index(), blockId);
        storage.deletions().confirmed(blockId);
      }
    }
  }
}
