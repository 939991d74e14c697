package io.acaciafs.namespace.op.policy;

import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.jspecify.annotations.Nullable;

/** The storage policy that applies to a path: its own, an inherited one, or the default. */
public record GetStoragePolicy(String path) implements ReadOperation<BlockStoragePolicy> {
  /**
   * @throws FileNotFoundException when there is nothing
   * @throws UnsupportedOperationException for a symbolic link
   */
  @Override
  public @Nullable BlockStoragePolicy run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, PathUse.READ_LINK);
    tree.permissions().checkInode(resolved, FsAction.READ);
    if (!resolved.exists()) {
      throw new FileNotFoundException("File/Directory does not exist: " + resolved);
    }
    if (resolved.inode() instanceof SymlinkInode) {
      throw new UnsupportedOperationException("Storage policy are not supported on symlinks");
    }
    return tree.settings().features().storagePolicies().policy(resolved.storagePolicyId());
  }
}
