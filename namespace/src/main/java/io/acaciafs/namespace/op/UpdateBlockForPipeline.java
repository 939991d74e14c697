package io.acaciafs.namespace.op;

import io.acaciafs.namespace.NamespaceOperation;
import io.acaciafs.namespace.Tree;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Gives the writer of a block a new generation stamp, with which he builds another pipeline. The
 * block itself does not change before {@link UpdatePipeline}. Each call gives another stamp.
 */
public record UpdateBlockForPipeline(Block block, String clientName)
    implements NamespaceOperation<LocatedBlock> {
  /**
   * @throws org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException when another client writes
   *     it
   * @throws IOException when nobody does
   */
  @Override
  public LocatedBlock run(Tree tree) throws IOException {
    WrittenBlock.require(tree, block, clientName);
    return tree.blocks().issueGenerationStamp(tree.transaction(), block.getBlockId());
  }
}
