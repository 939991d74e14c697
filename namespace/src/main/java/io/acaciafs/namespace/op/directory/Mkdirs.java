package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Creates a directory and, if asked, those above it. True also when it is there already.
 *
 * @param mode with the client's umask applied; may carry the unmasked mode as well
 * @param createParent false: {@link java.io.FileNotFoundException} when the parent is missing
 */
public record Mkdirs(String path, FsPermission mode, boolean createParent)
    implements NamespaceOperation<Boolean> {
  /**
   * @throws FileAlreadyExistsException when there is a file of this name
   * @throws org.apache.hadoop.fs.ParentNotDirectoryException when there is a file on the way
   */
  @Override
  public Boolean run(Tree tree) throws IOException {
    NewEntry.checkPathLength("mkdirs", path);
    ResolvedPath resolved = tree.resolve(path, PathUse.CREATE);
    if (resolved.exists()) {
      if (!resolved.existing().isDirectory()) {
        throw new FileAlreadyExistsException("Path is not a directory: " + path);
      }
      return true;
    }
    tree.permissions().checkAncestor(resolved, FsAction.WRITE);
    if (!createParent) {
      NewEntry.requireParentDirectory(resolved);
    }
    DirectoryInode parent = NewEntry.createAncestors(tree, resolved, mode);
    NewEntry.createDirectory(tree, parent, resolved, resolved.lastIndex(), mode);
    return true;
  }
}
