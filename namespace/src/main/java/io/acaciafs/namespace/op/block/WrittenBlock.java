package io.acaciafs.namespace.op.block;

import io.acaciafs.namespace.context.FileBlocks.BlockStatus;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;

/** The block that a client is writing, and its file, found by the block's id alone. */
record WrittenBlock(ResolvedPath path, FileInode file) {
  /**
   * @throws LeaseExpiredException when another client writes it
   * @throws IOException when the block is not there or not under construction, or its file is
   *     closed or deleted
   */
  static WrittenBlock require(Tree tree, Block block, String clientName) throws IOException {
    BlockStatus status = tree.blocks().status(tree.transaction(), block.getBlockId());
    if (status == null) {
      throw new IOException(named(tree, block) + " does not exist.");
    }
    ResolvedPath path = tree.resolve(status.fileId());
    if (status.state() != BlockUCState.UNDER_CONSTRUCTION) {
      throw new IOException(
          "Unexpected BlockUCState: "
              + named(tree, block)
              + " is "
              + status.state()
              + " but not "
              + BlockUCState.UNDER_CONSTRUCTION);
    }
    if (path == null
        || !(path.inode() instanceof FileInode file)
        || !file.isUnderConstruction()
        || file.lastBlock() == null
        || file.lastBlock().id() != block.getBlockId()) {
      throw new IOException(
          "The file " + block + " belonged to does not exist or it is not under construction.");
    }
    if (!file.leaseHolder().clientName().equals(clientName)) {
      throw new LeaseExpiredException(
          "Lease mismatch: "
              + named(tree, block)
              + " is accessed by a non lease holder "
              + clientName);
    }
    return new WrittenBlock(path, file);
  }

  /** With its pool, for texts. */
  static ExtendedBlock named(Tree tree, Block block) {
    return new ExtendedBlock(tree.blocks().blockPoolId(), block);
  }
}
