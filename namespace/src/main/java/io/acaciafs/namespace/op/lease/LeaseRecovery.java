package io.acaciafs.namespace.op.lease;

import io.acaciafs.namespace.context.FileBlocks.BlockStatus;
import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.jspecify.annotations.Nullable;

/**
 * Closes a file without its writer. Where its last block is not complete its replicas are brought
 * to one length first, by a DataNode; until that is done the file stays open under a holder who
 * does not write. The rules are those of HDFS's FSNamesystem.internalReleaseLease.
 */
public final class LeaseRecovery {
  /** The holder of leases that no client holds any more. */
  public static final String NAMENODE_HOLDER = "HDFS_NameNode";

  private LeaseRecovery() {}

  /**
   * Closes the file, or sees to it that it can be closed.
   *
   * @param newHolder the holder of the lease while the file cannot be closed
   * @return whether it is closed
   */
  static boolean release(Tree tree, ResolvedPath path, FileInode file, String newHolder)
      throws IOException {
    FileInode closed = closed(tree, file);
    if (closed == null) {
      begin(tree, path, file, newHolder);
      return false;
    }
    Files.close(tree, path, closed);
    return true;
  }

  /**
   * The file closed, which the caller writes; null where that is not possible yet. A last block
   * that was never written anywhere is taken back.
   */
  static @Nullable FileInode closed(Tree tree, FileInode file) {
    FileBlock last = file.lastBlock();
    if (last == null) {
      return file.closed(tree.nowMs());
    }
    if (!isComplete(tree, file.penultimateBlock())) {
      return null;
    }
    BlockStatus status = tree.blocks().status(tree.transaction(), last.id());
    if (status != null && status.state() == BlockUCState.COMPLETE) {
      return file.closed(tree.nowMs());
    }
    if (status == null || !status.isPlaced() && last.lengthBytes() == 0) {
      tree.blocks().remove(tree.transaction(), List.of(last));
      return file.withoutLastBlock().closed(tree.nowMs());
    }
    return null;
  }

  /**
   * Begins the recovery of the last block of a file that cannot be closed, or the next attempt.
   *
   * @throws AlreadyBeingCreatedException when it is the block before the last that has too few
   *     replicas: waiting may help
   */
  static void begin(Tree tree, ResolvedPath path, FileInode file, String newHolder)
      throws IOException {
    FileBlock last = Objects.requireNonNull(file.lastBlock(), "the file has blocks");
    BlockStatus status = tree.blocks().status(tree.transaction(), last.id());
    if (status != null
        && (status.state() == BlockUCState.COMMITTED || status.state() == BlockUCState.COMPLETE)
        && !isComplete(tree, file.penultimateBlock())) {
      throw new AlreadyBeingCreatedException(
          "Failed to release lease for file "
              + path
              + ". Committed blocks are waiting to be minimally replicated.");
    }
    tree.blocks().recover(tree.transaction(), last.id(), 0, tree::nextBlockId);
    if (!file.leaseHolder().clientName().equals(newHolder)) {
      tree.update(
          path,
          file.withWriter(new FileInode.Writer(newHolder, file.leaseHolder().clientMachine())));
    }
    tree.rememberRecovery(file.id(), newHolder);
  }

  private static boolean isComplete(Tree tree, @Nullable FileBlock block) {
    return block == null || tree.blocks().isComplete(tree.transaction(), block.id());
  }
}
