package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.op.common.ReservedDirectory;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;

/**
 * Removes a file, a symbolic link, or a directory with all that is below it. A directory leaves the
 * tree at once, whatever its size; its rows are removed in the background. False when there is
 * nothing, or for the root.
 */
public record Delete(String path, boolean recursive) implements AtMostOnce.Success {
  /**
   * @throws PathIsNotEmptyDirectoryException when it has entries and {@code recursive} is false
   * @throws org.apache.hadoop.security.AccessControlException also when it is protected
   */
  @Override
  public Boolean run(Tree tree) throws IOException {
    if (ReservedDirectory.isAt(path)) {
      throw new InvalidPathException(path);
    }
    ResolvedPath resolved = tree.resolve(path, PathUse.WRITE_LINK);
    tree.permissions().checkRemoveAll(resolved);
    if (resolved.inode() instanceof DirectoryInode directory) {
      if (!recursive && !tree.directories().isEmpty(directory)) {
        throw new PathIsNotEmptyDirectoryException(resolved + " is non empty");
      }
      tree.checkProtected(resolved);
    }
    if (!resolved.exists() || resolved.isRoot()) {
      return false;
    }
    tree.remove(resolved.parentDirectory(), resolved.name(), resolved.existing());
    return true;
  }
}
