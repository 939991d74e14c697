package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;

/**
 * The old rename: into the destination where that is a directory, never over anything, and false
 * instead of most refusals.
 */
public record Rename(String source, String destination) implements AtMostOnce.Success {
  @Override
  public Boolean run(Tree tree) throws IOException {
    NewEntry.checkPathLength("rename", destination);
    ResolvedPath from = tree.resolve(source, PathUse.WRITE_LINK);
    ResolvedPath to = tree.resolve(destination, PathUse.NEW_LINK);
    if (!from.isRoot() && to.inode() instanceof DirectoryInode directory) {
      to = to.append(from.name(), tree.child(directory, from.name()));
    }
    tree.checkProtected(from);
    tree.permissions().checkRemove(from);
    tree.permissions().checkTraverseFirst(to); // into the directory that was appended to
    tree.permissions().checkAncestor(to, FsAction.WRITE);
    if (!from.exists() || from.isRoot()) {
      return false;
    }
    if (to.isSameAs(from)) {
      return true;
    }
    if (RenameRules.isTarget(from, to) || RenameRules.isBelow(from, to)) {
      return false;
    }
    RenameRules.checkNotReserved(to);
    if (to.exists() || !(to.parent() instanceof DirectoryInode)) {
      return false;
    }
    RenameRules.move(tree, from, to);
    return true;
  }
}
