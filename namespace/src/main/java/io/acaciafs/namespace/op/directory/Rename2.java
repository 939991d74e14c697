package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.permission.FsAction;

/**
 * The newer rename: exactly to the destination, over a file or an empty directory if asked, and an
 * exception for every refusal. One transaction: nobody ever sees both names, or none.
 */
public record Rename2(String source, String destination, EnumSet<Options.Rename> options)
    implements AtMostOnce.Done {
  @Override
  public Void run(Tree tree) throws IOException {
    NewEntry.checkPathLength("rename", destination);
    boolean overwrites = options.contains(Options.Rename.OVERWRITE);
    if (overwrites) {
      tree.readAhead(source, destination);
    }
    ResolvedPath from = tree.resolve(source, PathUse.WRITE_LINK);
    ResolvedPath to =
        tree.resolve(destination, overwrites ? PathUse.CREATE_LINK : PathUse.NEW_LINK);
    tree.checkProtected(from);
    checkPermissions(tree, from, to);
    checkSource(from);
    if (to.isSameAs(from)) {
      throw new FileAlreadyExistsException(
          "The source " + from + " and destination " + to + " are the same");
    }
    RenameRules.checkDestination(from, to);
    if (to.isRoot()) {
      throw new IOException("rename destination cannot be the root");
    }
    if (to.exists()) {
      checkOverwrite(tree, from, to);
    }
    checkParent(to);
    if (to.exists()) {
      tree.remove(to.parentDirectory(), to.name(), to.existing());
    }
    RenameRules.move(tree, from, to);
    return null;
  }

  private void checkPermissions(Tree tree, ResolvedPath from, ResolvedPath to) throws IOException {
    if (options.contains(Options.Rename.TO_TRASH)) {
      tree.permissions().checkRemoveAll(from);
    } else {
      tree.permissions().checkRemove(from);
    }
    tree.permissions().checkAncestor(to, FsAction.WRITE);
  }

  private static void checkSource(ResolvedPath from) throws IOException {
    if (!from.exists()) {
      throw new FileNotFoundException("rename source " + from + " is not found.");
    }
    if (from.isRoot()) {
      throw new IOException("rename source cannot be the root");
    }
  }

  private void checkOverwrite(Tree tree, ResolvedPath from, ResolvedPath to) throws IOException {
    Inode replaced = to.existing();
    if (replaced.isDirectory() != from.existing().isDirectory()) {
      throw new IOException(
          "Source " + from + " and destination " + to + " must both be directories");
    }
    if (!options.contains(Options.Rename.OVERWRITE)) {
      throw new FileAlreadyExistsException("rename destination " + to + " already exists");
    }
    if (replaced instanceof DirectoryInode directory && !tree.directories().isEmpty(directory)) {
      throw new IOException("rename destination directory is not empty: " + to);
    }
  }

  private static void checkParent(ResolvedPath to) throws IOException {
    if (to.parent() == null) {
      throw new FileNotFoundException("rename destination parent " + to + " not found.");
    }
    if (!to.parent().isDirectory()) {
      throw new ParentNotDirectoryException("rename destination parent " + to + " is a file.");
    }
  }
}
