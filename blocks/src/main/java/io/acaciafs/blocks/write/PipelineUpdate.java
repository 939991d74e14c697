package io.acaciafs.blocks.write;

import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.datanode.StoredReplicaStates;
import io.acaciafs.blocks.placement.TargetChooser;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRequest;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.BlockStatus;
import io.acaciafs.blocks.redundancy.BlockRecordWriter;
import io.acaciafs.kv.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;

/**
 * What a writer needs when its pipeline breaks, or when it goes on writing a block that was
 * complete: new generation stamps, other DataNodes. All of it happens in the caller's transaction,
 * whose rules are those of {@code BlockManager}. Safe for use by many threads.
 *
 * <p>A generation stamp only has to grow per block, so the next one is found in the block's row.
 */
public final class PipelineUpdate {
  private final DatanodeRegistry registry;
  private final StoredReplicaStates replicaStates;
  private final TargetChooser targets;
  private final BlockLocator locator;
  private final BlockRecordWriter recordWriter;

  public PipelineUpdate(
      DatanodeRegistry registry,
      StoredReplicaStates replicaStates,
      TargetChooser targets,
      BlockLocator locator,
      BlockRecordWriter recordWriter) {
    this.registry = registry;
    this.replicaStates = replicaStates;
    this.targets = targets;
    this.locator = locator;
    this.recordWriter = recordWriter;
  }

  /** Guards the block's row. Null where there is no such block. */
  public @Nullable BlockStatus status(Transaction tx, long blockId) {
    BlockRecord record = BlockRows.get(tx, blockId);
    return record == null ? null : BlockStatus.of(record);
  }

  /**
   * Issues a generation stamp that was never issued for this block. The block keeps its own until
   * {@link #update}.
   *
   * @return the block with the new stamp, where it is written to
   */
  public LocatedBlock issueGenerationStamp(Transaction tx, long blockId) throws IOException {
    BlockRecord record = underConstruction(tx, blockId);
    long issued = record.nextGenerationStamp();
    recordWriter.save(tx, blockId, record, record.with(record.construction().withIssued(issued)));
    return locator.located(new Block(blockId, record.numBytes(), issued), -1, record.expected());
  }

  /**
   * The writer goes on with another stamp, on these DataNodes. What is unknown among them is passed
   * over.
   */
  public void update(
      Transaction tx, Block updated, List<? extends DatanodeID> nodes, List<String> storageIds)
      throws IOException {
    BlockRecord record = underConstruction(tx, updated.getBlockId());
    recordWriter.save(
        tx,
        updated.getBlockId(),
        record,
        record.rewritten(
            updated.getGenerationStamp(),
            updated.getNumBytes(),
            registry.storages(nodes, storageIds)));
  }

  /**
   * Makes a complete block one that is being written: on the DataNodes that hold it and those that
   * its writer wrote to, whose word of it is still on the way; where it cannot be read only if
   * there is no other.
   *
   * @param offset of the block in its file, bytes
   */
  public LocatedBlock reopen(Transaction tx, Block block, long offset) throws IOException {
    BlockRecord record = require(tx, block.getBlockId());
    List<Integer> live =
        Stream.concat(record.storages().stream(), record.written().stream())
            .filter(replicaStates::isReadable)
            .toList();
    BlockRecord reopened =
        recordWriter.save(
            tx,
            block.getBlockId(),
            record,
            record.reopened(live.isEmpty() ? record.storages() : live));
    return locator.located(
        new Block(block.getBlockId(), reopened.numBytes(), reopened.generationStamp()),
        offset,
        reopened.expected());
  }

  /**
   * Finds further DataNodes for a pipeline; changes nothing.
   *
   * @param request with the number of further DataNodes as its replication
   * @param existing DataNodes that stay
   * @return existing and new ones; fewer than asked for where there are not more
   */
  public LocatedBlock additional(
      BlockRequest request, List<? extends DatanodeID> existing, List<String> storageIds) {
    Set<String> excluded = new HashSet<>(request.wishes().excludedDatanodeUuids());
    existing.forEach(node -> excluded.add(node.getDatanodeUuid()));
    List<Integer> all = new ArrayList<>(registry.storages(existing, storageIds));
    List<Storage> there = all.stream().map(registry::storage).toList();
    targets.choose(request.excluding(excluded), there).forEach(s -> all.add(s.index()));
    return locator.located(request.block(), -1, all);
  }

  /**
   * Whether enough replicas of a complete block can be read to write on it: HDFS's
   * isSufficientlyReplicated. Guards its row.
   */
  public boolean isSufficientlyReplicated(Transaction tx, long blockId) {
    BlockRecord record = BlockRows.get(tx, blockId);
    if (record == null || !record.isComplete()) {
      return false;
    }
    int live = recordWriter.redundancy(record).counts().live();
    return live >= recordWriter.minReplication() || live >= targets.runningNodes();
  }

  /** Blocks go over to another file. */
  public void reassign(Transaction tx, Collection<Block> blocks, long fileId, short replication) {
    for (Block block : blocks) {
      BlockRecord record = BlockRows.get(tx, block.getBlockId());
      if (record != null) {
        recordWriter.save(tx, block.getBlockId(), record, record.ofFile(fileId, replication));
      }
    }
  }

  private static BlockRecord underConstruction(Transaction tx, long blockId) throws IOException {
    BlockRecord record = require(tx, blockId);
    if (record.isCommitted() || record.construction().isUnderRecovery()) {
      throw new IOException("Not under construction: block " + blockId);
    }
    return record;
  }

  private static BlockRecord require(Transaction tx, long blockId) throws IOException {
    BlockRecord record = BlockRows.get(tx, blockId);
    if (record == null) {
      throw new IOException("There is no block " + blockId);
    }
    return record;
  }
}
