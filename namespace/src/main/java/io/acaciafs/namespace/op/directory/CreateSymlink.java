package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.op.common.ReservedDirectory;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSUtilClient;

/**
 * Creates a symbolic link, which everybody may follow. Whether anything is at its target nobody
 * asks. Source: FSDirSymlinkOp of HDFS.
 *
 * @param target not empty; a path, relative or not, or a URI
 * @param directoryMode of the directories that are missing above the link
 * @param createParent false: {@link java.io.FileNotFoundException} when the parent is missing
 */
public record CreateSymlink(
    String target, String link, FsPermission directoryMode, boolean createParent)
    implements AtMostOnce.Done {
  /**
   * @throws InvalidPathException for a link of a name that cannot be, or a target that is reserved
   * @throws IOException when there is something of this name
   */
  @Override
  public Void run(Tree tree) throws IOException {
    checkNames();
    ResolvedPath resolved = tree.resolve(link, PathUse.WRITE_LINK);
    if (!createParent) {
      NewEntry.requireParentDirectory(resolved);
    }
    if (resolved.exists()) {
      throw new IOException(
          "failed to create link "
              + resolved
              + " either because the filename is invalid or the file exists");
    }
    tree.permissions().checkAncestor(resolved, FsAction.WRITE);
    DirectoryInode parent = NewEntry.createAncestors(tree, resolved, directoryMode);
    NewEntry.checkName(tree, parent, resolved, resolved.lastIndex());
    tree.add(parent, resolved.name(), newLink(tree, parent, resolved.name()));
    return null;
  }

  private void checkNames() throws IOException {
    if (NewEntry.isTooLong(link)) {
      throw new IOException(
          "Symlink path exceeds " + NewEntry.MAX_PATH_LENGTH + " character limit");
    }
    if (!DFSUtilClient.isValidName(link)) {
      throw new InvalidPathException("Invalid link name: " + link);
    }
    if (target.isEmpty() || ReservedDirectory.isAt(target) || target.startsWith("/.reserved/")) {
      throw new InvalidPathException("Invalid target name: " + target);
    }
  }

  private SymlinkInode newLink(Tree tree, DirectoryInode parent, byte[] name) {
    Inode.Attributes attributes =
        new Inode.Attributes(
            tree.caller().user(),
            parent.attributes().group(),
            FsPermission.getDefault().toShort(),
            tree.nowMs(),
            tree.nowMs());
    return new SymlinkInode(tree.nextInodeId(parent, name), attributes, target);
  }
}
