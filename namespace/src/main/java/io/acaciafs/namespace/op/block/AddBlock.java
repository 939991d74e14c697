package io.acaciafs.namespace.op.block;

import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.op.common.FileSizes;
import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException;
import org.jspecify.annotations.Nullable;

/**
 * Gives the writer of a file its next block. A repeated call is recognised by what it says of the
 * block before and gets the same block again.
 *
 * @param fileId 0 from clients that know none
 * @param previous the block that the client has just finished; null for the first one
 */
public record AddBlock(
    String path, long fileId, String clientName, @Nullable Block previous, FileBlocks.Wishes wishes)
    implements NamespaceOperation<LocatedBlock> {
  /** HDFS's first generation stamp behind the reserved ones; it grows per block. */
  private static final long FIRST_GENERATION_STAMP = 1001;

  /**
   * @throws NotReplicatedYetException when the block before the previous one is not complete
   * @throws IOException when {@code previous} is not what this file has, when the file has too many
   *     blocks, or when there are no DataNodes
   */
  @Override
  public LocatedBlock run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, fileId);
    FileInode file = Files.requireLease(tree, resolved, fileId, clientName);
    if (isRepeated(tree, resolved, file)) {
      return again(tree, resolved, file);
    }
    FileBlock penultimate = file.penultimateBlock();
    if (penultimate != null && !tree.blocks().isComplete(tree.transaction(), penultimate.id())) {
      throw new NotReplicatedYetException("Not replicated yet: " + path);
    }
    if (file.blocks().size() >= tree.settings().limits().maxBlocksPerFile()) {
      throw new IOException(
          "File has reached the limit on maximum number of blocks"
              + " (dfs.namenode.fs-limits.max-blocks-per-file): "
              + file.blocks().size()
              + " >= "
              + tree.settings().limits().maxBlocksPerFile());
    }
    FileInode committed = commitPrevious(tree, file);
    FileBlock block = new FileBlock(tree.nextBlockId(), FIRST_GENERATION_STAMP, 0);
    tree.update(resolved, committed.withAppendedBlock(block));
    return allocate(tree, resolved, committed, block, committed.lengthBytes());
  }

  private boolean isRepeated(Tree tree, ResolvedPath resolved, FileInode file) throws IOException {
    FileBlock last = file.lastBlock();
    if (FileBlock.isSame(last, previous) || isAppendBehindFullBlock(tree, file)) {
      return false;
    }
    if (!FileBlock.isSame(file.penultimateBlock(), previous)) {
      throw new IOException(
          "Cannot allocate block in "
              + resolved
              + ": passed 'previous' block "
              + (previous == null ? null : WrittenBlock.named(tree, previous))
              + " does not match actual last block in file "
              + (last == null ? null : last.toBlock()));
    }
    if (Objects.requireNonNull(last, "there is one before it").lengthBytes() != 0) {
      throw new IOException(
          "Request looked like a retry to allocate block "
              + last.toBlock()
              + " but it already contains "
              + last.lengthBytes()
              + " bytes");
    }
    return true;
  }

  /** A writer that appends to a file with a full last block was told of no block to go on with. */
  private boolean isAppendBehindFullBlock(Tree tree, FileInode file) {
    FileBlock last = file.lastBlock();
    return previous == null
        && last != null
        && last.lengthBytes() >= file.preferredBlockSizeBytes()
        && tree.blocks().isComplete(tree.transaction(), last.id());
  }

  private LocatedBlock again(Tree tree, ResolvedPath resolved, FileInode file) throws IOException {
    FileBlock last = Objects.requireNonNull(file.lastBlock(), "it was added before");
    LocatedBlock located =
        tree.blocks()
            .locateUnderConstruction(tree.transaction().unguarded(), last, file.lengthBytes());
    return located != null ? located : allocate(tree, resolved, file, last, file.lengthBytes());
  }

  private FileInode commitPrevious(Tree tree, FileInode file) throws IOException {
    if (previous == null || file.lastBlock() == null) {
      return file;
    }
    FileBlock committed =
        file.lastBlock().withLengthBytes(FileSizes.blockLength(previous.getNumBytes()));
    tree.blocks().commit(tree.transaction(), committed);
    return file.withLastBlock(committed);
  }

  private LocatedBlock allocate(
      Tree tree, ResolvedPath resolved, FileInode file, FileBlock block, long offsetBytes)
      throws IOException {
    return tree.blocks()
        .allocate(
            tree.transaction(),
            new FileBlocks.NewBlock(
                new FileBlocks.OfFile(
                    resolved.toString(),
                    file.id(),
                    file.replication(),
                    file.preferredBlockSizeBytes(),
                    resolved.storagePolicyId()),
                block,
                offsetBytes,
                file.leaseHolder().clientMachine(),
                wishes));
  }
}
