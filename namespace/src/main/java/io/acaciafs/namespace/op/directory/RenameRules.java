package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.op.common.ReservedDirectory;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;

/** What both forms of rename have in common. */
final class RenameRules {
  private RenameRules() {}

  /**
   * @throws FileAlreadyExistsException when the source is a symbolic link to the destination
   * @throws IOException when the destination lies below the source
   * @throws InvalidPathException for the reserved directory itself
   */
  static void checkDestination(ResolvedPath source, ResolvedPath destination) throws IOException {
    if (isTarget(source, destination)) {
      throw new FileAlreadyExistsException(
          "Cannot rename symlink " + source + " to its target " + destination);
    }
    if (isBelow(source, destination)) {
      throw new IOException(
          "Rename destination " + destination + " is a directory or file under source " + source);
    }
    checkNotReserved(destination);
  }

  static boolean isTarget(ResolvedPath source, ResolvedPath destination) {
    return source.inode() instanceof SymlinkInode link
        && link.target().equals(destination.toString());
  }

  static boolean isBelow(ResolvedPath source, ResolvedPath destination) {
    return destination.isBelow(source);
  }

  /** The source needs no check: nothing of this name can exist. */
  static void checkNotReserved(ResolvedPath destination) {
    if (ReservedDirectory.isAt(destination)) {
      throw new InvalidPathException("Cannot rename to or from /.reserved");
    }
  }

  static void move(Tree tree, ResolvedPath source, ResolvedPath destination) throws IOException {
    DirectoryInode from = source.parentDirectory();
    DirectoryInode to = destination.parentDirectory();
    NewEntry.checkLength(tree, destination, destination.lastIndex());
    if (from.id() != to.id()) {
      NewEntry.checkItems(tree, to, destination, destination.lastIndex());
    }
    NewEntry.checkNotSnapshot(destination.name());
    tree.move(from, source.name(), to, destination.name(), source.existing());
  }
}
