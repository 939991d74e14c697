package io.acaciafs.namespace.path;

import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.context.Root;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Walks the tree row by row, down by names and up by inode ids. Guards each row. Stateless. */
public final class PathWalk {
  private PathWalk() {}

  /** Follows names from the root. */
  public static ResolvedPath down(OperationContext context, List<byte[]> names) {
    List<Inode> inodes = new ArrayList<>(names.size() + 1);
    Inode inode = context.root();
    inodes.add(inode);
    for (byte[] name : names) {
      inode = inode instanceof DirectoryInode directory ? context.child(directory, name) : null;
      if (inode == null) {
        break;
      }
      inodes.add(inode);
    }
    return new ResolvedPath(names, inodes);
  }

  /** Climbs from an inode to the root; null where the way up ends before: it was deleted. */
  public static @Nullable List<byte[]> namesTo(OperationContext context, long inodeId) {
    LinkedList<byte[]> names = new LinkedList<>();
    Set<Long> seen = new HashSet<>();
    for (long id = inodeId; id != Root.ID; ) {
      InodeLocation location = context.location(id);
      // a loop is made of rows of different moments; the commit will find a guard that broke
      if (location == null || !seen.add(id)) {
        return null;
      }
      names.addFirst(location.name());
      id = location.directory().directoryId();
    }
    return names;
  }

  /** The path of an inode; by its id where it was deleted meanwhile. */
  public static String pathOf(OperationContext context, long inodeId) {
    List<byte[]> names = namesTo(context, inodeId);
    ResolvedPath path = names == null ? null : down(context, names);
    return path == null || !path.leadsTo(inodeId)
        ? "/.reserved/.inodes/" + inodeId
        : path.toString();
  }
}
