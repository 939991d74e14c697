package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.op.common.ReservedDirectory;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;

/**
 * Whether the caller may read what a path leads to: all that is to be checked for an answer that is
 * the same for every path.
 *
 * @param mustExist false: nothing at the end of the path is as good
 */
public record CheckReadable(String path, boolean mustExist) implements ReadOperation<Void> {
  /**
   * @throws FileNotFoundException when there is nothing, and must be
   */
  @Override
  public Void run(Tree tree) throws IOException {
    if (ReservedDirectory.isAt(path)) {
      return null;
    }
    ResolvedPath resolved = tree.resolve(path, PathUse.READ);
    tree.permissions().checkInode(resolved, FsAction.READ);
    if (mustExist && !resolved.exists()) {
      throw new FileNotFoundException("Path not found: " + path);
    }
    return null;
  }
}
