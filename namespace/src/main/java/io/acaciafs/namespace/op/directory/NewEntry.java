package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.op.attribute.AclRules;
import io.acaciafs.namespace.path.PathNames;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsCreateModes;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.FSLimitException.MaxDirectoryItemsExceededException;
import org.apache.hadoop.hdfs.protocol.FSLimitException.PathComponentTooLongException;

/**
 * What must hold of a name before an entry of it comes into being, and the directories above it.
 */
public final class NewEntry {
  /** HdfsServerConstants.MAX_PATH_LENGTH and MAX_PATH_DEPTH. */
  static final int MAX_PATH_LENGTH = 8000;

  private static final int MAX_PATH_DEPTH = 1000;

  private NewEntry() {}

  /**
   * @param operation as HDFS names it in the refusal
   * @throws IOException when the path is too long or too deep
   */
  public static void checkPathLength(String operation, String path) throws IOException {
    if (isTooLong(path)) {
      throw new IOException(
          operation
              + ": Pathname too long.  Limit "
              + MAX_PATH_LENGTH
              + " characters, "
              + MAX_PATH_DEPTH
              + " levels.");
    }
  }

  static boolean isTooLong(String path) {
    // A short path needs no parsing: it has no room for so many levels, unless it is odd.
    boolean isPlain = path.startsWith("/") && !path.startsWith("//");
    return path.length() > MAX_PATH_LENGTH
        || !(isPlain && path.length() <= MAX_PATH_DEPTH) && new Path(path).depth() > MAX_PATH_DEPTH;
  }

  /**
   * @param directory where the entry is to be
   * @param path on which it is
   * @param index of its name
   */
  public static void checkName(Tree tree, DirectoryInode directory, ResolvedPath path, int index)
      throws IOException {
    byte[] name = path.names().get(index);
    if (index == 0 && Arrays.equals(name, PathNames.DOT_RESERVED)) {
      throw new HadoopIllegalArgumentException(
          "File name \".reserved\" is reserved and cannot be created. If this is during upgrade"
              + " change the name of the existing file or directory to another name before"
              + " upgrading to the new release.");
    }
    checkLength(tree, path, index);
    checkItems(tree, directory, path, index);
    checkNotSnapshot(name);
  }

  static void checkNotSnapshot(byte[] name) {
    if (Arrays.equals(name, PathNames.DOT_SNAPSHOT)) {
      throw new HadoopIllegalArgumentException("\".snapshot\" is a reserved name.");
    }
  }

  static void checkLength(Tree tree, ResolvedPath path, int index) throws IOException {
    byte[] name = path.names().get(index);
    int maxLength = tree.settings().limits().maxComponentLengthBytes();
    if (maxLength != 0 && name.length > maxLength) {
      throw new PathComponentTooLongException(
          maxLength, name.length, path.pathOf(index), new String(name, StandardCharsets.UTF_8));
    }
  }

  /** Not guarded: many that add at the same time may each be the last one. */
  static void checkItems(Tree tree, DirectoryInode directory, ResolvedPath path, int index)
      throws IOException {
    int maxItems = tree.settings().limits().maxDirectoryItems();
    if (maxItems != 0 && tree.mayHaveItems(directory, maxItems)) {
      long items = tree.directories().counters(directory).entries();
      if (items >= maxItems) {
        throw new MaxDirectoryItemsExceededException(
            path.pathOf(index), maxItems, (int) Math.min(Integer.MAX_VALUE, items));
      }
    }
  }

  /** The parent is there and is a directory. */
  public static void requireParentDirectory(ResolvedPath path) throws IOException {
    if (path.names().size() < 2) {
      return;
    }
    if (path.parent() == null) {
      throw new FileNotFoundException("Parent directory doesn't exist: " + path.parentPath());
    }
    if (!path.parent().isDirectory()) {
      throw new ParentNotDirectoryException("Parent path is not a directory: " + path.parentPath());
    }
  }

  /**
   * Creates the directories that are missing above the last name of a path.
   *
   * @param mode of these directories, before owner-write and owner-execute are added
   * @return the parent of the last name
   */
  public static DirectoryInode createAncestors(Tree tree, ResolvedPath path, FsPermission mode)
      throws IOException {
    int existing = path.inodes().size() - 1;
    DirectoryInode directory = (DirectoryInode) path.lastExisting();
    FsPermission ancestorMode =
        new FsPermission(
            mode.getUserAction().or(FsAction.WRITE_EXECUTE),
            mode.getGroupAction(),
            mode.getOtherAction());
    if (mode.getUnmasked() != null) {
      ancestorMode = FsCreateModes.create(ancestorMode, mode.getUnmasked());
    }
    for (int i = existing; i < path.names().size() - 1; i++) {
      directory = createDirectory(tree, directory, path, i, ancestorMode);
    }
    return directory;
  }

  static DirectoryInode createDirectory(
      Tree tree, DirectoryInode parent, ResolvedPath path, int index, FsPermission mode)
      throws IOException {
    checkName(tree, parent, path, index);
    byte[] name = path.names().get(index);
    DirectoryInode directory =
        tree.newDirectory(
            parent,
            name,
            AclRules.inherit(
                tree.settings(),
                parent,
                mode,
                true,
                new Inode.Attributes(
                    tree.caller().user(),
                    parent.attributes().group(),
                    mode.toShort(),
                    tree.nowMs(),
                    0)));
    tree.add(parent, name, directory);
    return directory;
  }
}
