package io.acaciafs.blocks.check;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Question;
import io.acaciafs.kv.check.Repair;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.Block;

/** Whether the rows agree to which a block's own row leads. */
final class BlockQuestion implements Question {
  private static final byte[] NOTHING = {};

  private final Key key;
  private final long blockId;
  private final FilesOfStore files;
  private final Supplier<Set<Integer>> storages;

  /**
   * @param storages indexes of those that there are
   */
  BlockQuestion(Key key, FilesOfStore files, Supplier<Set<Integer>> storages) {
    this.key = key;
    this.blockId = BlockKeys.blockIdInBlock(key);
    this.files = files;
    this.storages = storages;
  }

  @Override
  public void ask(Reader reader, Consumer<Finding> findings) {
    byte[] row = reader.get(key);
    if (row == null) {
      return;
    }
    String subject = "block=" + blockId;
    BlockRecord record = CheckedBlock.decode(row);
    if (record == null) {
      findings.accept(
          Finding.damage("unreadable-block", subject, "The row of a block is none.", null));
      return;
    }
    if (!files.lists(reader, record.fileId(), blockId)) {
      boolean isMendable = record.isCommitted() && files.areCertain();
      findings.accept(
          Finding.damage(
              "block-of-no-file",
              subject + " inode=" + record.fileId(),
              "A block belongs to a file that does not have it, or is not there.",
              isMendable ? tx -> save(tx, record) : null));
    }
    for (int storage : record.storages()) {
      askStorage(reader, storage, findings);
    }
    RepairQueue queue = record.repairState().queue();
    if (queue != RepairQueue.NONE) {
      Key repair = BlockKeys.repair(queue, blockId);
      require(
          reader,
          repair,
          "not-in-queue",
          subject + " queue=" + queue,
          "A block is to be repaired, and does not stand in the queue.",
          findings);
    }
    if (record.repairState().expectedUntilMs() != 0) {
      require(
          reader,
          BlockKeys.pendingRepair(record.repairState().expectedUntilMs(), blockId),
          "not-pending",
          subject,
          "Replicas are expected, and nobody will give them up if they do not come.",
          findings);
    }
  }

  private void askStorage(Reader reader, int storage, Consumer<Finding> findings) {
    require(
        reader,
        BlockKeys.replica(storage, blockId),
        "no-replica-index",
        "block=" + blockId + " storage=" + storage,
        "A replica is not found when its storage is lost.",
        findings);
    if (!storages.get().contains(storage)) {
      findings.accept(
          Finding.damage(
              "unknown-storage",
              "storage=" + storage,
              "Blocks have replicas on a storage of which nothing is known, for one block "
                  + blockId
                  + ".",
              null));
    }
  }

  private static void require(
      Reader reader,
      Key row,
      String kind,
      String subject,
      String text,
      Consumer<Finding> findings) {
    if (reader.get(row) == null) {
      Repair repair = tx -> tx.put(row, NOTHING);
      findings.accept(Finding.damage(kind, subject, text, repair));
    }
  }

  private void save(Transaction tx, BlockRecord record) {
    Block block = new Block(blockId, record.numBytes(), record.generationStamp());
    long fileId = files.save(tx, block, (short) record.replication());
    BlockRows.put(tx, blockId, record.ofFile(fileId, record.replication()));
  }
}
