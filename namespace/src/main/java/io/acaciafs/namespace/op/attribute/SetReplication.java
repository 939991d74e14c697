package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.op.common.FileSizes;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;
import org.jspecify.annotations.Nullable;

/** Sets how many replicas a file's blocks shall have. False when it is no file. */
public record SetReplication(String path, short replication) implements AtMostOnce.Verdict {
  @Override
  public Boolean run(Tree tree) throws IOException {
    check(tree.settings(), path, replication, null);
    FileSizes.replication(replication);
    ResolvedPath resolved = tree.resolve(path, PathUse.WRITE);
    tree.permissions().checkInode(resolved, FsAction.WRITE);
    if (!(resolved.inode() instanceof FileInode file)) {
      return false;
    }
    if (file.replication() != replication) {
      tree.update(resolved, file.withReplication(replication));
      tree.blocks().setReplication(tree.transaction(), file.blocks(), replication);
    }
    return true;
  }

  /**
   * @param clientMachine for the refusal; null: not named there
   * @throws IOException when it is outside dfs.namenode.replication.min and dfs.replication.max
   */
  public static void check(
      NamespaceSettings settings, String path, short replication, @Nullable String clientMachine)
      throws IOException {
    String wrong;
    if (replication > settings.limits().maxReplication()) {
      wrong = " exceeds maximum of " + settings.limits().maxReplication();
    } else if (replication < settings.limits().minReplication()) {
      wrong = " is less than the required minimum of " + settings.limits().minReplication();
    } else {
      return;
    }
    throw new IOException(
        "Requested replication factor of "
            + replication
            + wrong
            + " for "
            + path
            + (clientMachine == null ? "" : ", clientName=" + clientMachine));
  }
}
