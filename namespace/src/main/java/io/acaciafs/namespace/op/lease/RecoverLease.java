package io.acaciafs.namespace.op.lease;

import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;

/**
 * Takes a file from its writer, whether he is alive or not, and closes it. False while its last
 * block is being recovered: the client asks again.
 *
 * @param clientName the holder of the lease until the file is closed
 */
public record RecoverLease(String path, String clientName) implements AtMostOnce.Verdict {
  /**
   * @throws java.io.FileNotFoundException when there is no file
   * @throws org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException when another than the last
   *     block has too few replicas
   */
  @Override
  public Boolean run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, PathUse.WRITE);
    FileInode file = Files.require(resolved);
    if (!file.isUnderConstruction()) {
      return true;
    }
    tree.permissions().checkInode(resolved, FsAction.WRITE);
    boolean isClosed = LeaseRecovery.release(tree, resolved, file, clientName);
    if (!isClosed) {
      tree.renewAfterCommit(clientName);
    }
    return isClosed;
  }
}
