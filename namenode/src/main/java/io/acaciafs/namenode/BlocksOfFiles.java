package io.acaciafs.namenode;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.record.BlockRequest;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;

/** The block manager as the namespace wants it. */
final class BlocksOfFiles implements FileBlocks {
  private final BlockManager blocks;

  BlocksOfFiles(BlockManager blocks) {
    this.blocks = blocks;
  }

  @Override
  public String blockPoolId() {
    return blocks.versionRequest().getBlockPoolID();
  }

  @Override
  public List<Key> rowsOf(long blockId) {
    return List.of(BlockManager.rowOf(blockId));
  }

  @Override
  public boolean tellsOf(Reader reader, FileInode file, FileBlock block) {
    return !file.isUnderConstruction() && blocks.isCommitted(reader, block.toBlock(), file.id());
  }

  @Override
  public LocatedBlock allocate(Transaction transaction, NewBlock block) throws IOException {
    return blocks.allocate(transaction, request(block));
  }

  private static BlockRequest request(NewBlock block) {
    return new BlockRequest(
        new BlockRequest.File(
            block.file().path(),
            block.file().id(),
            block.file().replication(),
            block.file().preferredBlockSizeBytes(),
            block.file().storagePolicyId()),
        block.block().toBlock(),
        block.offsetBytes(),
        block.clientMachine(),
        new BlockRequest.Wishes(
            block.wishes().excludedNodes().stream()
                .map(DatanodeInfo::getDatanodeUuid)
                .collect(Collectors.toSet()),
            block.wishes().favoredNodes(),
            block.wishes().flags()));
  }

  @Override
  public @Nullable BlockStatus status(Transaction transaction, long blockId) {
    io.acaciafs.blocks.record.BlockStatus status = blocks.pipelines().status(transaction, blockId);
    return status == null
        ? null
        : new BlockStatus(
            status.fileId(),
            status.state(),
            status.recoveryId(),
            status.truncateToBytes(),
            status.copyId(),
            status.isPlaced());
  }

  @Override
  public LocatedBlock issueGenerationStamp(Transaction transaction, long blockId)
      throws IOException {
    return blocks.pipelines().issueGenerationStamp(transaction, blockId);
  }

  @Override
  public void updatePipeline(
      Transaction transaction,
      FileBlock updated,
      List<? extends DatanodeID> nodes,
      List<String> storageIds)
      throws IOException {
    blocks.pipelines().update(transaction, updated.toBlock(), nodes, storageIds);
  }

  @Override
  public LocatedBlock additionalTargets(
      NewBlock block, List<DatanodeInfo> existing, List<String> storageIds) {
    return blocks.pipelines().additional(request(block), existing, storageIds);
  }

  @Override
  public LocatedBlock reopen(Transaction transaction, FileBlock block, long offsetBytes)
      throws IOException {
    return blocks.pipelines().reopen(transaction, block.toBlock(), offsetBytes);
  }

  @Override
  public void recover(
      Transaction transaction, long blockId, long truncateToBytes, LongSupplier newBlockId)
      throws IOException {
    blocks.recovery().start(transaction, blockId, truncateToBytes, newBlockId);
  }

  @Override
  public boolean recovered(
      Transaction transaction,
      long blockId,
      FileBlock block,
      List<? extends DatanodeID> nodes,
      List<String> storageIds)
      throws IOException {
    return blocks.recovery().finish(transaction, blockId, block.toBlock(), nodes, storageIds);
  }

  @Override
  public void reassign(
      Transaction transaction, Collection<FileBlock> moved, long fileId, short replication) {
    blocks.pipelines().reassign(transaction, toBlocks(moved), fileId, replication);
  }

  @Override
  public @Nullable LocatedBlock locateUnderConstruction(
      Reader reader, FileBlock block, long offsetBytes) {
    LocatedBlock located = blocks.locate(reader, block.toBlock(), offsetBytes, true);
    return located.getLocations().length == 0 ? null : located;
  }

  @Override
  public boolean commit(Transaction transaction, FileBlock block) throws IOException {
    return blocks.commit(transaction, block.toBlock());
  }

  @Override
  public boolean isComplete(Transaction transaction, long blockId) {
    return blocks.isMinimallyReplicated(transaction, blockId);
  }

  @Override
  public boolean isSufficientlyReplicated(Transaction transaction, long blockId) {
    return blocks.pipelines().isSufficientlyReplicated(transaction, blockId);
  }

  @Override
  public void remove(Transaction transaction, Collection<FileBlock> removed) {
    blocks.remove(transaction, toBlocks(removed));
  }

  @Override
  public void setReplication(
      Transaction transaction, Collection<FileBlock> changed, short replication) {
    blocks.setReplication(transaction, toBlocks(changed), replication);
  }

  private static List<Block> toBlocks(Collection<FileBlock> blocks) {
    return blocks.stream().map(FileBlock::toBlock).toList();
  }
}
