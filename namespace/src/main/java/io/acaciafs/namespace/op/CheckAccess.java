package io.acaciafs.namespace.op;

import io.acaciafs.namespace.PathUse;
import io.acaciafs.namespace.ReadOperation;
import io.acaciafs.namespace.ResolvedPath;
import io.acaciafs.namespace.Tree;
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
