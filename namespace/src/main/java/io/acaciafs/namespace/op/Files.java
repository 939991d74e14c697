package io.acaciafs.namespace.op;

import io.acaciafs.namespace.ResolvedPath;
import io.acaciafs.namespace.Tree;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;

/** What operations on files ask alike. */
final class Files {
  private Files() {}

  /**
   * @throws FileNotFoundException when there is nothing, or a directory
   */
  static FileInode require(ResolvedPath path) throws FileNotFoundException {
    if (path.inode() instanceof FileInode file) {
      return file;
    }
    throw new FileNotFoundException(
        (path.exists() ? "Path is not a file: " : "File does not exist: ") + path);
  }

  /**
   * The file that a client is writing.
   *
   * @throws FileNotFoundException when it is not there any more
   * @throws LeaseExpiredException when it is closed, or another client writes it
   */
  static FileInode requireLease(ResolvedPath path, long fileId, String clientName)
      throws IOException {
    Inode inode = path.inode();
    if (inode == null) {
      throw new FileNotFoundException(
          "File does not exist: " + described(path, fileId, clientName));
    }
    if (!(inode instanceof FileInode file)) {
      throw new LeaseExpiredException(
          "INode is not a regular file: " + described(path, fileId, clientName));
    }
    if (!file.isUnderConstruction()) {
      throw new LeaseExpiredException(
          "File is not open for writing: " + described(path, fileId, clientName));
    }
    String owner = file.writer().clientName();
    if (clientName != null && !owner.equals(clientName)) {
      throw new LeaseExpiredException(
          "Client (="
              + clientName
              + ") is not the lease owner (="
              + owner
              + ": "
              + described(path, fileId, clientName));
    }
    return file;
  }

  /**
   * @throws UnsupportedOperationException for a file that DataNodes keep in memory
   */
  static void refuseLazyPersist(ResolvedPath path, String what) {
    if (path.storagePolicyId() == HdfsConstants.StoragePolicy.LAZY_PERSIST.value()) {
      throw new UnsupportedOperationException("Cannot " + what + " lazy persist file " + path);
    }
  }

  private static String described(ResolvedPath path, long fileId, String clientName) {
    return path + " (inode " + fileId + ") Holder " + clientName + " does not have any open files.";
  }

  /** Closes a file whose blocks are all complete: from now on it has no writer. */
  static void close(Tree tree, ResolvedPath path, FileInode file) {
    tree.update(path, file.closed(tree.nowMs()));
    tree.forgetOpenFile(file.id());
  }
}
