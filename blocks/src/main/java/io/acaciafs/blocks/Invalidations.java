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
  private final Clock clock;
  private final int limit;
  private final long resendMs;

  Invalidations(DatanodeRegistry registry, Clock clock, BlockSettings settings) {
    this.registry = registry;
    this.clock = clock;
    this.limit = settings.invalidateLimit();
    this.resendMs = settings.invalidateResendMs();
  }

  /** Queues the deletion of a replica, which leaves its block's row with this transaction. */
  void queue(Transaction tx, int storage, long blockId, long generationStamp) {
    BlockRows.putInvalidation(tx, storage, blockId, generationStamp);
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
