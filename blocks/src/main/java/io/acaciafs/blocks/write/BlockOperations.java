package io.acaciafs.blocks.write;

import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.placement.TargetChooser;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRequest;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.Construction.Recovery;
import io.acaciafs.blocks.record.TruncateCopies;
import io.acaciafs.blocks.redundancy.BlockRecordWriter;
import io.acaciafs.blocks.redundancy.Invalidations;
import io.acaciafs.blocks.settings.BlockSettings;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException;
import org.jspecify.annotations.Nullable;

/**
 * What the namespace does to blocks, inside its own transactions. See the methods of the same names
 * in {@code BlockManager}.
 */
public final class BlockOperations {
  private final DatanodeRegistry registry;
  private final TargetChooser targets;
  private final BlockLocator locator;
  private final BlockRecordWriter recordWriter;
  private final Invalidations invalidations;
  private final int minReplication;

  public BlockOperations(
      DatanodeRegistry registry,
      TargetChooser targets,
      BlockLocator locator,
      BlockRecordWriter recordWriter,
      Invalidations invalidations,
      BlockSettings settings) {
    this.registry = registry;
    this.targets = targets;
    this.locator = locator;
    this.recordWriter = recordWriter;
    this.invalidations = invalidations;
    this.minReplication = settings.minReplication();
  }

  public LocatedBlock allocate(Transaction tx, BlockRequest request) throws IOException {
    Block block = request.block();
    BlockRecord record = BlockRows.get(tx, block.getBlockId());
    if (record != null
        && (record.isCommitted() || record.generationStamp() != block.getGenerationStamp())) {
      throw new IOException("Block " + block + " of " + request.file().path() + " is in use");
    }
    if (record == null || record.expected().isEmpty()) {
      List<Integer> expected = choose(request).stream().map(Storage::index).toList();
      record =
          record == null
              ? BlockRecord.allocated(
                  request.file().id(),
                  block.getGenerationStamp(),
                  request.file().replication(),
                  expected)
              : record.withExpected(expected);
      BlockRows.put(tx, block.getBlockId(), record);
    }
    return locator.located(
        new Block(block.getBlockId(), record.numBytes(), record.generationStamp()),
        request.offset(),
        record.expected());
  }

  public boolean commit(Transaction tx, Block block) throws IOException {
    BlockRecord record = BlockRows.get(tx, block.getBlockId());
    if (record == null) {
      throw new IOException("Commit of a block that is not there: " + block);
    }
    if (record.generationStamp() != block.getGenerationStamp()) {
      throw new IOException(
          "Commit block with mismatching GS. NN has generation stamp "
              + record.generationStamp()
              + ", client submits "
              + block);
    }
    if (record.construction().isUnderRecovery()) {
      throw new IOException(
          "Commit or complete block " + block + ", whereas it is under recovery.");
    }
    if (block.getNumBytes() < record.numBytes()
        || record.isCommitted() && block.getNumBytes() != record.numBytes()) {
      throw new IOException(
          "Commit block with mismatching length. NN has "
              + record.numBytes()
              + " bytes, client submits "
              + block);
    }
    if (record.isCommitted()) {
      return record.isComplete();
    }
    BlockRecord committed = record.committed(block.getNumBytes(), registry::sameNode);
    return recordWriter.save(tx, block.getBlockId(), record, committed).isComplete();
  }

  public boolean isMinimallyReplicated(Transaction tx, long blockId) {
    return isComplete(BlockRows.get(tx, blockId));
  }

  public boolean isComplete(Reader reader, long blockId) {
    return isComplete(BlockRows.read(reader, blockId));
  }

  public boolean isCommitted(Reader reader, Block block, long fileId) {
    BlockRecord record = BlockRows.read(reader, block.getBlockId());
    return record != null
        && record.isCommitted()
        && record.fileId() == fileId
        && record.numBytes() == block.getNumBytes()
        && record.generationStamp() == block.getGenerationStamp();
  }

  private static boolean isComplete(@Nullable BlockRecord record) {
    return record != null && record.isComplete();
  }

  public void remove(Transaction tx, Collection<Block> blocks) {
    for (Block block : blocks) {
      long blockId = block.getBlockId();
      BlockRecord record = BlockRows.get(tx, blockId);
      if (record != null) {
        giveUpCopy(tx, record);
        remove(tx, blockId, record);
      }
    }
  }

  /** Removes a block with its replicas. */
  void remove(Transaction tx, long blockId, BlockRecord record) {
    BlockRows.delete(tx, blockId);
    recordWriter.forget(tx, blockId, record);
    invalidations.queueAll(tx, blockId, record);
    record.storages().forEach(storage -> BlockRows.removeFromIndex(tx, storage, blockId));
    Stream.concat(record.reported().stream(), record.repairState().corrupt().stream())
        .forEach(replica -> BlockRows.removeFromIndex(tx, replica.storage(), blockId));
  }

  /** What DataNodes have made of the copy that the block's recovery names is deleted, if any is. */
  void giveUpCopy(Transaction tx, BlockRecord source) {
    Recovery recovery = source.construction().recovery();
    if (recovery != null && recovery.copyId() != 0) {
      TruncateCopies.forget(tx, recovery.copyId());
      invalidations.queueAll(
          tx,
          recovery.copyId(),
          BlockRecord.allocated(
              source.fileId(), recovery.id(), source.replication(), source.expected()));
    }
  }

  public void setReplication(Transaction tx, Collection<Block> blocks, short replication) {
    for (Block block : blocks) {
      BlockRecord record = BlockRows.get(tx, block.getBlockId());
      if (record != null && record.replication() != replication) {
        recordWriter.save(tx, block.getBlockId(), record, record.withReplication(replication));
      }
    }
  }

  private List<Storage> choose(BlockRequest request) throws IOException {
    boolean mayBecomeMore = targets.awaitsFirstHeartbeats(); // asked before one comes in between
    List<Storage> chosen = targets.choose(request);
    if (chosen.size() < request.file().replication() && mayBecomeMore) {
      // Writers try again on this one, and on no other.
      throw new NotReplicatedYetException(
          "The NameNode has just started and waits for the DataNodes' first heartbeats: "
              + request.file().path());
    }
    if (chosen.size() >= minReplication && !chosen.isEmpty()) {
      return chosen;
    }
    int excluded = request.wishes().excludedDatanodeUuids().size();
    throw new IOException(
        String.format(
            "File %s could only be written to %d of the %d minReplication nodes. There are %d"
                + " datanode(s) running and %s node(s) are excluded in this operation.",
            request.file().path(),
            chosen.size(),
            minReplication,
            targets.runningNodes(),
            excluded == 0 ? "no" : Integer.toString(excluded)));
  }
}
