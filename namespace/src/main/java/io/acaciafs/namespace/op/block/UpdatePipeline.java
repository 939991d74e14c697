package io.acaciafs.namespace.op.block;

import io.acaciafs.namespace.op.common.FileSizes;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;

/**
 * The writer of a block goes on with another pipeline.
 *
 * @param updated with a stamp that {@link UpdateBlockForPipeline} gave, and the length that the
 *     DataNodes of the new pipeline have acknowledged
 * @param storageIds one for each node
 */
public record UpdatePipeline(
    String clientName, Block block, Block updated, List<DatanodeID> nodes, List<String> storageIds)
    implements AtMostOnce.Done {
  /**
   * @throws org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException when another client writes
   *     it
   * @throws IOException when nobody does, when the stamp does not grow, or the length shrinks
   */
  @Override
  public Void run(Tree tree) throws IOException {
    WrittenBlock written = WrittenBlock.require(tree, block, clientName);
    FileBlock last =
        Objects.requireNonNull(written.file().lastBlock(), "its last block is written");
    if (updated.getBlockId() != last.id()
        || updated.getGenerationStamp() <= last.generationStamp()) {
      throw new IOException(
          "Update "
              + WrittenBlock.named(tree, block)
              + " but the new block "
              + WrittenBlock.named(tree, updated)
              + " does not have a larger generation stamp than the last block "
              + last.toBlock());
    }
    if (updated.getNumBytes() < last.lengthBytes()) {
      throw new IOException(
          "Update "
              + WrittenBlock.named(tree, block)
              + " (size="
              + block.getNumBytes()
              + ") to a smaller size block "
              + WrittenBlock.named(tree, updated)
              + " (size="
              + updated.getNumBytes()
              + ")");
    }
    FileSizes.blockLength(updated.getNumBytes());
    FileBlock next = FileBlock.of(updated);
    tree.blocks().updatePipeline(tree.transaction(), next, nodes, storageIds);
    tree.update(written.path(), written.file().withLastBlock(next));
    return null;
  }
}
