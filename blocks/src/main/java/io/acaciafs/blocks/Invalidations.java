package io.acaciafs.blocks;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;

/**
 * Replicas that DataNodes are to delete. The row is written in the transaction in which the replica
 * leaves its block's row, and removed when the DataNode says that the replica is gone; in between
 * it is sent with heartbeats. So a command is safe whoever sends it, and none is forgotten.
 */
final class Invalidations {
  private final DatanodeRegistry registry;
  private final Standings standings;
  private final Clock clock;
  private final int limit;
  private final long resendMs;

  Invalidations(
      DatanodeRegistry registry, Standings standings, Clock clock, BlockSettings settings) {
    this.registry = registry;
    this.standings = standings;
    this.clock = clock;
    this.limit = settings.invalidateLimit();
    this.resendMs = settings.invalidateResendMs();
  }

  /**
   * Queues the deletion of a replica, which leaves its block's row with this transaction.
   *
   * @param remaining the block's row as the transaction leaves it; null where it leaves none
   * @throws IllegalStateException when the row would be left without a good replica on a DataNode
   *     that lives and has named it since its start: then the transaction must not be committed
   */
  void queue(Transaction tx, ReportedReplica replica, long blockId, BlockRecord remaining) {
    int storage = replica.storage();
    if (remaining != null
        && (remaining.holds(storage) || !remaining.canSpare(replica, standings::isVerified))) {
      throw new IllegalStateException(
          "Refused to delete the last replica of block " + blockId + ": " + replica);
    }
    BlockRows.putInvalidation(tx, storage, blockId, replica.generationStamp());
    Storage known = registry.storage(storage);
    if (known != null) {
      known.deletions().expectRows(clock.millis()); // a hint; harmless if the commit fails
    }
  }

  /** What one heartbeat carries; may be empty. */
  Block[] next(Reader reader, Datanode datanode) {
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
    for (Storage storage : datanode.storages()) {
      if (BlockRows.invalidation(tx, storage.index(), blockId).isPresent()) {
        BlockRows.forgetInvalidation(tx, storage.index(), blockId);
        storage.deletions().confirmed(blockId);
      }
    }
  }
}
