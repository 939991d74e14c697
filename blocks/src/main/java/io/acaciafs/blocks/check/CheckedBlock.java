package io.acaciafs.blocks.check;

import io.acaciafs.blocks.datanode.StoredStorages;
import io.acaciafs.blocks.proto.BlockRow.State;
import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRecord.Owner;
import io.acaciafs.blocks.record.BlockRecord.Replicas;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.Construction;
import io.acaciafs.blocks.record.RedundancyCounters;
import io.acaciafs.blocks.record.RepairState;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.Block;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of a block, for a comparison with files, and what mends it. Works on rows alone,
 * whether a NameNode serves the store or not.
 *
 * @param isCommitted whether length and generation stamp are final
 */
public record CheckedBlock(
    long fileId, int replication, boolean isCommitted, long generationStamp, long numBytes) {
  private static final byte[] NOTHING = {};

  /** Null where there is no such block, or its row makes no sense. */
  public static @Nullable CheckedBlock read(Reader reader, long blockId) {
    BlockRecord record = decode(reader.get(key(blockId)));
    return record == null
        ? null
        : new CheckedBlock(
            record.fileId(),
            record.replication(),
            record.isCommitted(),
            record.generationStamp(),
            record.numBytes());
  }

  /** Where the row of a block is. */
  public static Key key(long blockId) {
    return BlockKeys.block(blockId);
  }

  static @Nullable BlockRecord decode(byte @Nullable [] row) {
    try {
      return row == null ? null : BlockRecord.decode(row);
    } catch (StoreException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return null; // the caller reports the finding
    }
  }

  /**
   * Writes the row of a block that has none. It counts as missing until DataNodes report it, and
   * nobody is to delete it any more.
   *
   * @param isBeingWritten under construction
   */
  public static void restore(
      Transaction tx, Block block, long fileId, int replication, boolean isBeingWritten) {
    BlockRecord record =
        new BlockRecord(
            new Owner(fileId, replication),
            block.getGenerationStamp(),
            block.getNumBytes(),
            isBeingWritten ? State.UNDER_CONSTRUCTION : State.COMPLETE,
            Replicas.NONE,
            isBeingWritten ? RepairState.NONE : RepairState.NONE.in(RepairQueue.MISSING),
            Construction.NONE);
    BlockRows.put(tx, block.getBlockId(), record);
    if (!isBeingWritten) {
      tx.put(BlockKeys.repair(RepairQueue.MISSING, block.getBlockId()), NOTHING);
      RedundancyCounters.move(tx, null, record);
    }
    for (int storage : StoredStorages.read(tx.unguarded()).indexes()) {
      tx.delete(BlockKeys.invalidation(storage, block.getBlockId()));
    }
  }

  /**
   * Lets a block belong to a file. Where it is to have other replicas than before, repair has a
   * look at it.
   */
  public static void assign(Transaction tx, long blockId, long fileId, int replication) {
    BlockRecord before = Objects.requireNonNull(BlockRows.get(tx, blockId), "the block is stored");
    BlockRecord after = before.ofFile(fileId, replication);
    if (before.isCommitted()
        && !before.repairState().isQueued()
        && before.replication() != replication) {
      after = after.withRepairState(after.repairState().in(RepairQueue.LOW_REDUNDANCY));
      tx.put(BlockKeys.repair(RepairQueue.LOW_REDUNDANCY, blockId), NOTHING);
    }
    RedundancyCounters.move(tx, before, after);
    BlockRows.put(tx, blockId, after);
  }
}
