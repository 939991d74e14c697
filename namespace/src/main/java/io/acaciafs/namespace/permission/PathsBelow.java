package io.acaciafs.namespace.permission;

import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.path.PathWalk;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.InodeLocation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The paths of directories that a walk meets. Neighbours have the same parent, whose path is kept.
 * Used by one thread.
 */
final class PathsBelow {
  private final OperationContext context;
  private @Nullable ResolvedPath parent;

  PathsBelow(OperationContext context) {
    this.context = context;
  }

  /** Null where it was deleted meanwhile, or renamed. */
  @Nullable ResolvedPath of(DirectoryInode directory) {
    ResolvedPath root = new ResolvedPath(List.of(), List.of(context.root()));
    if (root.leadsTo(directory.id())) {
      return root;
    }
    InodeLocation location = context.location(directory.id());
    if (location == null) {
      return null;
    }
    long parentId = location.directory().directoryId();
    if (parent == null || !parent.leadsTo(parentId)) {
      List<byte[]> names = PathWalk.namesTo(context, parentId);
      parent = names == null ? null : PathWalk.down(context, names);
    }
    return parent != null && parent.leadsTo(parentId)
        ? parent.append(location.name(), directory)
        : null;
  }
}
