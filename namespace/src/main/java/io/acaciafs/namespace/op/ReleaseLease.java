package io.acaciafs.namespace.op;

import io.acaciafs.namespace.NamespaceOperation;
import io.acaciafs.namespace.ResolvedPath;
import io.acaciafs.namespace.Tree;
import io.acaciafs.namespace.record.FileInode;
import java.io.IOException;

/**
 * Closes a file whose writer has been silent for the hard limit, if its data is whole; forgets the
 * open file when there is none any more.
 *
 * <p>True when the file is not open any more.
 */
public record ReleaseLease(long fileId, String clientName) implements NamespaceOperation<Boolean> {
  @Override
  public Boolean run(Tree tree) throws IOException {
    ResolvedPath path = tree.resolve(fileId);
    if (path == null || !(path.inode() instanceof FileInode file) || !file.isUnderConstruction()) {
      tree.forgetOpenFile(fileId);
      return true;
    }
    if (!file.writer().clientName().equals(clientName) || !LeaseTakeover.canClose(tree, file)) {
      return false;
    }
    Files.close(tree, path, file);
    return true;
  }
}
