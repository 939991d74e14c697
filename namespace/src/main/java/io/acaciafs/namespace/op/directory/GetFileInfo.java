package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.op.common.ReservedDirectory;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * The status of a path; null where there is nothing. Reads the path only.
 *
 * <p>A file on the way is {@link AccessControlException} for ordinary users and null for a
 * superuser, as in HDFS.
 *
 * @param use READ, or READ_LINK for a symbolic link's own status
 */
public record GetFileInfo(String path, PathUse use) implements ReadOperation<InodeStatus> {
  public GetFileInfo(String path) {
    this(path, PathUse.READ);
  }

  @Override
  public @Nullable InodeStatus run(Tree tree) throws IOException {
    ResolvedPath resolved = resolve(tree);
    return resolved == null ? null : status(tree, resolved);
  }

  /** Null where there is nothing for a superuser. */
  @Nullable ResolvedPath resolve(Tree tree) throws IOException {
    try {
      ResolvedPath resolved = tree.resolve(path, use);
      tree.permissions().confirmSuperuser(resolved);
      return resolved;
    } catch (AccessControlException e) {
      if (tree.caller().isSuperuser()) {
        return null;
      }
      throw e;
    }
  }

  /** Of what {@link #resolve} gave. */
  static @Nullable InodeStatus status(Tree tree, ResolvedPath resolved) throws IOException {
    if (ReservedDirectory.isAt(resolved)) {
      return ReservedDirectory.status();
    }
    return resolved.exists() ? tree.status(resolved, resolved.existing()) : null;
  }
}
