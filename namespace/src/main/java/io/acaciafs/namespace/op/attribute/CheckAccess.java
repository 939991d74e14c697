package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;

/** Whether the caller may do something with a path: returns, or refuses. */
public record CheckAccess(String path, FsAction access) implements ReadOperation<Void> {
  @Override
  public Void run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, PathUse.READ);
    if (!resolved.exists()) {
      throw new FileNotFoundException("Path not found: " + resolved);
    }
    tree.permissions().checkInode(resolved, access);
    return null;
  }
}
