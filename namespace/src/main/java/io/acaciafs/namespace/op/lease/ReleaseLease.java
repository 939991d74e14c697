package io.acaciafs.namespace.op.lease;

import io.acaciafs.namespace.context.FileBlocks.BlockStatus;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;

/**
 * Looks after an open file: when its writer has been silent for the hard limit, or somebody has
 * begun to close it without him, it is closed, or the recovery that it waits for goes on. Puts an
 * index row right that says otherwise than the file.
 *
 * <p>True when the file is not open any more.
 *
 * @param seen the file's index row
 */
public record ReleaseLease(long fileId, OpenFile seen) implements NamespaceOperation<Boolean> {
  @Override
  public Boolean run(Tree tree) throws IOException {
    ResolvedPath path = tree.resolve(fileId);
    if (path == null || !(path.inode() instanceof FileInode file) || !file.isUnderConstruction()) {
      tree.forgetOpenFile(fileId);
      return true;
    }
    String holder = file.leaseHolder().clientName();
    if (isAbandoned(tree, file, holder)) {
      return LeaseRecovery.release(tree, path, file, holder);
    }
    if (tree.leases().isHardLimitExpired(holder)) {
      return LeaseRecovery.release(tree, path, file, LeaseRecovery.NAMENODE_HOLDER);
    }
    if (!seen.equals(new OpenFile(holder, false))) {
      tree.rememberOpenFile(fileId, holder);
    }
    return false;
  }

  private static boolean isAbandoned(Tree tree, FileInode file, String holder) {
    if (holder.equals(LeaseRecovery.NAMENODE_HOLDER)) {
      return true;
    }
    BlockStatus status =
        file.lastBlock() == null
            ? null
            : tree.blocks().status(tree.transaction(), file.lastBlock().id());
    return status != null && status.state() == BlockUCState.UNDER_RECOVERY;
  }
}
