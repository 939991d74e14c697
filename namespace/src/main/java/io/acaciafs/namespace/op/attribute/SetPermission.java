package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.op.common.ReservedDirectory;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.permission.FsPermission;

/** Sets the permission bits; for the owner and superusers. */
public record SetPermission(String path, FsPermission permission) implements AtMostOnce.Done {
  @Override
  public Void run(Tree tree) throws IOException {
    ResolvedPath resolved = resolveForOwner(tree, path);
    Inode inode = resolved.existing();
    tree.update(resolved, inode.with(inode.attributes().withMode(permission.toShort())));
    return null;
  }

  /**
   * @throws FileNotFoundException when there is nothing
   * @throws org.apache.hadoop.security.AccessControlException when the caller does not own it
   */
  static ResolvedPath resolveForOwner(Tree tree, String path) throws IOException {
    if (ReservedDirectory.isAt(path)) {
      throw new InvalidPathException(path);
    }
    return resolveWithoutReserved(tree, path);
  }

  /** The same where HDFS knows nothing of {@code /.reserved}. */
  static ResolvedPath resolveWithoutReserved(Tree tree, String path) throws IOException {
    ResolvedPath resolved = tree.resolve(path, PathUse.WRITE);
    if (!resolved.exists()) {
      throw new FileNotFoundException("Directory/File does not exist " + resolved);
    }
    tree.permissions().checkOwner(resolved);
    return resolved;
  }
}
