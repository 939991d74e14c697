package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.PathIsNotDirectoryException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.SnapshotException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's answers to calls about snapshots if only the root is snapshottable; the root always is,
 * and has no snapshots. Source: FSDirSnapshotOp and SnapshotManager.
 *
 * @param name of a snapshot that is wanted; empty: none
 * @param newName of a snapshot that is to be; empty: none. Of two that are to be compared, the
 *     other
 */
public record RequireSnapshottable(Use use, String path, String name, String newName)
    implements ReadOperation<Void> {

  /** What the snapshots of a directory are wanted for. */
  public enum Use {
    CREATE,
    RENAME,
    DELETE,
    LIST,
    COMPARE,
    DISALLOW
  }

  /**
   * Returns normally for calls that disallow snapshots, and for calls that list snapshots of the
   * root.
   *
   * @throws SnapshotException as there are none
   * @throws FileNotFoundException when there is nothing
   * @throws PathIsNotDirectoryException when it is no directory
   */
  @Override
  public Void run(Tree tree) throws IOException {
    boolean reads = use == Use.LIST || use == Use.COMPARE;
    ResolvedPath resolved = tree.resolve(path, reads ? PathUse.READ : PathUse.WRITE);
    checkAllowed(tree, resolved);
    if (use == Use.CREATE && !newName.isEmpty() || use == Use.RENAME) {
      checkNewName();
    }
    boolean looksAbove =
        use == Use.COMPARE && !(resolved.exists() && resolved.existing().isDirectory());
    requireDirectory(
        looksAbove ? resolved.parent() : resolved.inode(),
        looksAbove ? resolved.parentPath() : resolved.toString());
    if (use == Use.DISALLOW) {
      return null;
    }
    if (resolved.isRoot()) {
      requireNoSnapshot();
      return null;
    }
    throw new SnapshotException(
        use == Use.COMPARE
            ? "The path " + resolved + " is neither snapshottable nor under a snapshot root!"
            : "Directory is not a snapshottable directory: " + resolved);
  }

  private void checkAllowed(Tree tree, ResolvedPath resolved) throws IOException {
    switch (use) {
      case CREATE, RENAME, DELETE -> {
        if (tree.settings().permissions().isEnabled()) {
          if (!resolved.exists()) {
            throw new FileNotFoundException("Directory/File does not exist " + resolved);
          }
          tree.permissions().checkOwner(resolved);
        }
      }
      case COMPARE -> {
        if (resolved.exists() && !resolved.existing().isDirectory()) {
          throw new AccessControlException(resolved + " (is not a directory)");
        }
        tree.permissions().checkInode(resolved, FsAction.READ);
      }
      case LIST -> tree.permissions().checkInode(resolved, FsAction.READ);
      case DISALLOW -> {
        // the superuser's alone
      }
    }
  }

  private void checkNewName() {
    if (use == Use.CREATE && !DFSUtil.isValidNameForComponent(newName)) {
      throw new InvalidPathException("Invalid snapshot name: " + newName);
    }
    if (newName.contains("/")) {
      throw new HadoopIllegalArgumentException("Snapshot name cannot contain \"/\"");
    }
    if (newName.equals(HdfsConstants.DOT_SNAPSHOT_DIR)) {
      throw new HadoopIllegalArgumentException(
          "\"" + HdfsConstants.DOT_SNAPSHOT_DIR + "\" is a reserved name.");
    }
  }

  private static void requireDirectory(@Nullable Inode inode, String path) throws IOException {
    if (inode == null) {
      throw new FileNotFoundException("Directory does not exist: " + path);
    }
    if (!inode.isDirectory()) {
      throw new PathIsNotDirectoryException(path);
    }
  }

  private void requireNoSnapshot() throws SnapshotException {
    switch (use) {
      case CREATE ->
          throw new SnapshotException(
              "Failed to add snapshot: there are already 0 snapshot(s) and the snapshot quota is"
                  + " 0");
      case RENAME ->
          throw new SnapshotException(
              "The snapshot " + name + " does not exist for directory " + path);
      case DELETE ->
          throw new SnapshotException(
              "Cannot delete snapshot "
                  + name
                  + " from path "
                  + path
                  + ": the snapshot does not exist.");
      case COMPARE -> {
        String missing = name.isEmpty() ? newName : name;
        if (!missing.isEmpty()) {
          throw new SnapshotException(
              "Cannot find the snapshot of directory " + path + " with name " + missing);
        }
      }
      case LIST, DISALLOW -> {
        // nothing is wanted of them
      }
    }
  }
}
