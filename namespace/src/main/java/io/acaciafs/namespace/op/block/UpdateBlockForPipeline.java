package io.acaciafs.namespace.op.block;

import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
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
    LocatedBlock issued =
        tree.blocks().issueGenerationStamp(tree.transaction(), block.getBlockId());
    // as in HDFS without locations, which the writer knows, and with the length that the writer
    // reported
    issued.getBlock().setNumBytes(block.getNumBytes());
    LocatedBlock answer = new LocatedBlock(issued.getBlock(), DatanodeInfo.EMPTY_ARRAY);
    answer.setStartOffset(issued.getStartOffset());
    answer.setBlockToken(issued.getBlockToken());
    return answer;
  }
}
