package io.acaciafs.namespace.op;

import io.acaciafs.namespace.ResolvedPath;
import io.acaciafs.namespace.Tree;
import io.acaciafs.namespace.record.DirectoryInode;
import java.io.IOException;
import org.apache.hadoop.fs.InvalidPathException;

/** What both forms of rename have in common. */
final class RenameRules {
  private RenameRules() {}

  /**
   * @throws IOException when the destination lies below the source
   * @throws InvalidPathException for the reserved directory itself
   */
  static void checkDestination(ResolvedPath source, ResolvedPath destination) throws IOException {
    if (destination.toString().startsWith(source + "/")) {
      throw new IOException(
          "Rename destination " + destination + " is a directory or file under source " + source);
    }
    if (source.toString().equals("/.reserved") || destination.toString().equals("/.reserved")) {
      throw new InvalidPathException("Cannot rename to or from /.reserved");
    }
  }

  static void move(Tree tree, ResolvedPath source, ResolvedPath destination) throws IOException {
    DirectoryInode to = destination.parentDirectory();
    NewEntry.checkLimits(tree, to, destination.parentPath(), destination.name());
    tree.move(source.parentDirectory(), source.name(), to, destination.name(), source.inode());
  }
}
