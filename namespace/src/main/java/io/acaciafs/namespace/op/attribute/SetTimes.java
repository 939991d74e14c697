package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;

/**
 * Sets times of a file or directory.
 *
 * @param modificationTimeMs since the epoch; negative: stays
 * @param accessTimeMs since the epoch; negative: stays
 */
public record SetTimes(String path, long modificationTimeMs, long accessTimeMs)
    implements AtMostOnce.Done {
  @Override
  public Void run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, PathUse.WRITE);
    tree.permissions().checkInode(resolved, FsAction.WRITE);
    if (!resolved.exists()) {
      throw new FileNotFoundException("File/Directory " + resolved + " does not exist.");
    }
    Inode inode = resolved.existing();
    if (accessTimeMs >= 0) {
      inode = inode.with(inode.attributes().withAccessTimeMs(accessTimeMs));
    }
    if (modificationTimeMs < 0) {
      tree.update(resolved, inode);
    } else if (inode instanceof DirectoryInode directory) {
      tree.setModificationTime(resolved, directory, modificationTimeMs);
    } else {
      tree.update(
          resolved, inode.with(inode.attributes().withModificationTimeMs(modificationTimeMs)));
    }
    return null;
  }
}
