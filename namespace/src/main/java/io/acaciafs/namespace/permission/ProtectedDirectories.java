package io.acaciafs.namespace.permission;

import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.directory.Directories;
import io.acaciafs.namespace.path.PathNames;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.security.AccessControlException;

/**
 * Directories that no user, not even the superuser, can delete or rename while they have entries;
 * nor their parents. Safe for use by many threads, and may change at any time.
 *
 * <p>Source of the rules and the texts: HDFS 3.5's DFSUtil.checkProtectedDescendants.
 */
public final class ProtectedDirectories {
  private record Rules(NavigableSet<String> paths, boolean protectsBelow) {}

  private volatile Rules rules = new Rules(new TreeSet<>(), false);

  public ProtectedDirectories() {}

  /**
   * Replaces the protected directories.
   *
   * @param paths absolute and normalized
   * @param protectsBelow whether their subdirectories are protected too
   */
  public void set(Collection<String> paths, boolean protectsBelow) {
    rules = new Rules(new TreeSet<>(paths), protectsBelow);
  }

  /** The same paths as {@link #set} takes, with what was said of those below. */
  public void set(Collection<String> paths) {
    set(paths, rules.protectsBelow());
  }

  /**
   * Asks whether what a path leads to may go away. That a directory is empty is guarded.
   *
   * @throws AccessControlException when it may not
   */
  public void check(OperationContext context, ResolvedPath path) throws AccessControlException {
    Rules now = rules;
    Directories directories = new Directories(context);
    if (now.paths().isEmpty()
        || !(path.inode() instanceof DirectoryInode directory)
        || directories.isEmpty(directory)) {
      return;
    }
    String name = path.toString();
    if (now.paths().contains(name)) {
      throw new AccessControlException(
          "Cannot delete/rename non-empty protected directory " + name);
    }
    // '0' is the character after '/'
    for (String below : now.paths().subSet(name + "/", name + "0")) {
      if (holdsSomething(context, directory, below.substring(name.length()))) {
        throw new AccessControlException(
            "Cannot delete/rename non-empty protected subdirectory " + below);
      }
    }
    if (now.protectsBelow()) {
      for (int end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
        String above = name.substring(0, end);
        if (now.paths().contains(above)) {
          throw new AccessControlException(
              "Cannot delete/rename subdirectory under protected subdirectory " + above);
        }
      }
    }
  }

  private static boolean holdsSomething(
      OperationContext context, DirectoryInode from, String path) {
    Inode inode = from;
    for (byte[] name : PathNames.split(path)) {
      if (!(inode instanceof DirectoryInode directory)) {
        return false;
      }
      inode = context.child(directory, name);
    }
    return inode instanceof DirectoryInode found && !new Directories(context).isEmpty(found);
  }
}
