package io.acaciafs.namespace.op.file;

import io.acaciafs.namespace.op.attribute.XAttrRules;
import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;

/**
 * A file with its blocks, for getBlockLocations and its like.
 *
 * @param access what the caller must be allowed to do with the file; {@link FsAction#NONE} for
 *     nothing but to reach it
 * @param use READ_DATA, or READ_LINK where a symbolic link is no file like any other
 */
public record GetFile(String path, FsAction access, PathUse use)
    implements ReadOperation<FileInode> {
  public GetFile(String path, FsAction access) {
    this(path, access, PathUse.READ_DATA);
  }

  /**
   * @throws FileNotFoundException when there is nothing, or a directory
   * @throws org.apache.hadoop.security.AccessControlException also when the superuser wants to read
   *     what he must not
   */
  @Override
  public FileInode run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, use);
    FileInode file = Files.require(resolved);
    if (access.implies(FsAction.READ)) {
      XAttrRules.checkReadable(tree, resolved);
    }
    tree.permissions().checkInode(resolved, access);
    return file;
  }
}
