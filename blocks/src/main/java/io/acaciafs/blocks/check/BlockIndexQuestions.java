package io.acaciafs.blocks.check;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Question;
import org.jspecify.annotations.Nullable;

/** Whether rows that lead to blocks lead to such as know of it. Stateless. */
final class BlockIndexQuestions {
  private BlockIndexQuestions() {}

  private static @Nullable BlockRecord block(Reader reader, long blockId) {
    return CheckedBlock.decode(reader.get(BlockKeys.block(blockId)));
  }

  private static String subject(Key key) {
    return "block=" + BlockKeys.blockIdIn(key) + " storage=" + BlockKeys.storageIndexIn(key);
  }

  static Question replica(Key key) {
    return (reader, findings) -> {
      BlockRecord block = block(reader, BlockKeys.blockIdIn(key));
      if (reader.get(key) != null
          && (block == null || !block.holds(BlockKeys.storageIndexIn(key)))) {
        findings.accept(
            Finding.stale(
                "dangling-replica",
                subject(key),
                "A replica is in the index of its storage, and not in the row of its block.",
                tx -> tx.delete(key)));
      }
    };
  }

  static Question repair(Key key) {
    return (reader, findings) -> {
      long blockId = BlockKeys.blockIdInRepair(key);
      BlockRecord block = block(reader, blockId);
      if (reader.get(key) != null
          && (block == null
              || !BlockKeys.repair(block.repairState().queue(), blockId).equals(key))) {
        findings.accept(
            Finding.damage(
                "wrong-queue",
                "block=" + blockId + " queue=" + key.bytes()[0],
                "A block stands in a queue to be repaired, and its row says otherwise.",
                tx -> tx.delete(key)));
      }
    };
  }

  static Question pending(Key key) {
    return (reader, findings) -> {
      long blockId = BlockKeys.blockIdInPendingRepair(key);
      BlockRecord block = block(reader, blockId);
      if (reader.get(key) != null
          && (block == null || block.repairState().expectedUntilMs() != BlockKeys.dueMsIn(key))) {
        findings.accept(
            Finding.damage(
                "wrong-pending",
                "block=" + blockId + " due=" + BlockKeys.dueMsIn(key),
                "Replicas of a block are to be given up that nobody expects.",
                tx -> tx.delete(key)));
      }
    };
  }

  static Question invalidation(Key key) {
    return (reader, findings) -> {
      byte[] row = reader.get(key);
      BlockRecord block = row == null ? null : block(reader, BlockKeys.blockIdIn(key));
      if (block != null
          && block.storages().contains(BlockKeys.storageIndexIn(key))
          && generationStampIn(row) == block.generationStamp()) {
        findings.accept(
            Finding.damage(
                "deletion-of-replica",
                subject(key),
                "A replica is to be deleted that counts as a good one.",
                tx -> tx.delete(key)));
      }
    };
  }

  private static long generationStampIn(byte @Nullable [] row) {
    try {
      return BlockRows.generationStampIn(row);
    } catch (StoreException e) {
      return 0; // of no replica
    }
  }
}
