package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.op.attribute.XAttrRules;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;
import org.jspecify.annotations.Nullable;

/**
 * As {@link GetFileInfo} for a caller that is going to be told where the blocks of a file are.
 *
 * @param isToRead whether the caller gets what it may read the file's blocks with: then it must be
 *     allowed to read the file, which HDFS does not check
 */
public record GetLocatedFileInfo(String path, boolean isToRead)
    implements ReadOperation<InodeStatus> {
  /**
   * @throws org.apache.hadoop.security.AccessControlException also where the caller is to read the
   *     file, and must not
   */
  @Override
  public @Nullable InodeStatus run(Tree tree) throws IOException {
    if (isToRead) {
      tree.permissions().nameOperation("open");
    }
    ResolvedPath resolved = new GetFileInfo(path).resolve(tree);
    if (resolved == null) {
      return null;
    }
    InodeStatus status = GetFileInfo.status(tree, resolved);
    if (status != null && status.inode() instanceof FileInode file) {
      if (isToRead) {
        tree.permissions().checkInode(resolved, FsAction.READ);
        XAttrRules.checkReadable(tree, resolved);
      }
      tree.readAhead(file, file::blocks);
    }
    return status;
  }
}
