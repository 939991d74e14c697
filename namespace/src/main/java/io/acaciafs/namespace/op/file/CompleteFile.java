package io.acaciafs.namespace.op.file;

import io.acaciafs.namespace.op.common.FileSizes;
import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.jspecify.annotations.Nullable;

/**
 * Closes a file. False while a block has not reached its minimal replication: the length of the
 * last one is kept nevertheless. True also for a repeated call after the file was closed.
 *
 * @param fileId 0 from clients that know none
 * @param last the last block with its final length; null for a file without blocks; ignored when it
 *     was abandoned and the one before it is complete
 */
public record CompleteFile(String path, long fileId, String clientName, @Nullable Block last)
    implements NamespaceOperation<Boolean> {
  /**
   * @throws LeaseExpiredException when the client does not write this file
   */
  @Override
  public Boolean run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, fileId);
    if (resolved.inode() instanceof FileInode closed
        && !closed.isUnderConstruction()
        && FileBlock.isSame(closed.lastBlock(), last)) {
      return true;
    }
    FileInode file = Files.requireLease(tree, resolved, fileId, clientName);
    FileBlock penultimate = file.penultimateBlock();
    if (penultimate != null && !tree.blocks().isComplete(tree.transaction(), penultimate.id())) {
      return false;
    }
    FileInode committed = commitLast(tree, file);
    FileBlock committedLast = committed.lastBlock();
    if (committedLast != null && !isLastComplete(tree, committedLast)) {
      tree.update(resolved, committed);
      return false;
    }
    Files.close(tree, resolved, committed);
    return true;
  }

  private FileInode commitLast(Tree tree, FileInode file) throws IOException {
    if (last == null || file.lastBlock() == null) {
      return file;
    }
    if (!FileBlock.isSame(file.lastBlock(), last)) {
      // As in HDFS: the writer has abandoned its last block, and the one before has its length.
      if (tree.blocks().isComplete(tree.transaction(), file.lastBlock().id())) {
        return file;
      }
      throw mismatch(file.lastBlock().toBlock(), last);
    }
    return file.withLastBlock(
        file.lastBlock().withLengthBytes(FileSizes.blockLength(last.getNumBytes())));
  }

  private IOException mismatch(Block actual, Block last) {
    return new IOException(
        actual.getGenerationStamp() != last.getGenerationStamp()
            ? "Commit block with mismatching GS. NN has " + actual + ", client submits " + last
            : "Trying to commit inconsistent block: id = "
                + last.getBlockId()
                + ", expected id = "
                + actual.getBlockId());
  }

  private boolean isLastComplete(Tree tree, FileBlock committed) throws IOException {
    return last == null
        ? tree.blocks().isComplete(tree.transaction(), committed.id())
        : tree.blocks().commit(tree.transaction(), committed);
  }
}
