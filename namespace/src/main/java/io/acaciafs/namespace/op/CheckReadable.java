package io.acaciafs.namespace.op;

import io.acaciafs.namespace.PathUse;
import io.acaciafs.namespace.ReadOperation;
import io.acaciafs.namespace.ResolvedPath;
import io.acaciafs.namespace.Tree;
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
