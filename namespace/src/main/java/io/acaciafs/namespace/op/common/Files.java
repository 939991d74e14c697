package io.acaciafs.namespace.op.common;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;

/** What operations on files ask alike. */
public final class Files {
  /** Counting what a client writes, for the text of a refusal, must not take long. */
  private static final int OPEN_FILES_IN_TEXTS = 10_000;

  private Files() {}

  /**
   * @throws FileNotFoundException when there is nothing, or a directory
   */
  public static FileInode require(ResolvedPath path) throws FileNotFoundException {
    return path.inode() instanceof FileInode file ? file : require(path, path.toString());
  }

  /**
   * The same, for texts in which HDFS shows the path as the client wrote it.
   *
   * @throws FileNotFoundException when there is nothing, or a directory
   */
  public static FileInode require(ResolvedPath path, String written) throws FileNotFoundException {
    if (path.inode() instanceof FileInode file) {
      return file;
    }
    throw new FileNotFoundException(
        (path.exists() ? "Path is not a file: " : "File does not exist: ") + written);
  }

  /**
   * The file that a client is writing.
   *
   * @throws FileNotFoundException when it is not there any more
   * @throws LeaseExpiredException when it is closed, or another client writes it
   */
  public static FileInode requireLease(Tree tree, ResolvedPath path, long fileId, String clientName)
      throws IOException {
    Inode inode = path.inode();
    if (inode == null) {
      throw new FileNotFoundException(
          "File does not exist: " + described(tree, path, fileId, clientName));
    }
    if (!(inode instanceof FileInode file)) {
      throw new LeaseExpiredException(
          "INode is not a regular file: " + described(tree, path, fileId, clientName));
    }
    if (!file.isUnderConstruction()) {
      throw new LeaseExpiredException(
          "File is not open for writing: " + described(tree, path, fileId, clientName));
    }
    String owner = file.leaseHolder().clientName();
    if (clientName != null && !owner.equals(clientName)) {
      throw new LeaseExpiredException(
          "Client (="
              + clientName
              + ") is not the lease owner (="
              + owner
              + ": "
              + described(tree, path, fileId, clientName));
    }
    return file;
  }

  /**
   * @throws UnsupportedOperationException for a file that DataNodes keep in memory
   */
  public static void refuseLazyPersist(ResolvedPath path, String what) {
    if (path.storagePolicyId() == HdfsConstants.StoragePolicy.LAZY_PERSIST.value()) {
      throw new UnsupportedOperationException("Cannot " + what + " lazy persist file " + path);
    }
  }

  private static String described(Tree tree, ResolvedPath path, long fileId, String clientName) {
    int open = openFiles(tree, clientName);
    return path
        + " (inode "
        + fileId
        + ") "
        + (open > 0
            ? "[Lease.  Holder: " + clientName + ", pending creates: " + open + "]"
            : "Holder " + clientName + " does not have any open files.");
  }

  /** How many files a client is writing, among the first open files. */
  private static int openFiles(Tree tree, String clientName) {
    int count = 0;
    try (Scan open =
        tree.transaction().unguarded().scan(KeyRange.ofTable(NamespaceKeys.OPEN_FILES))) {
      for (int seen = 0; seen < OPEN_FILES_IN_TEXTS && open.hasNext(); seen++) {
        Row row = open.next();
        // the row of what was deleted with its directory goes later
        if (OpenFile.decode(row.value()).clientName().equals(clientName)
            && tree.peekPath(NamespaceKeys.idOf(row.key())) != null) {
          count++;
        }
      }
    }
    return count;
  }

  /** Closes a file whose blocks are all complete: from now on it has no writer. */
  public static void close(Tree tree, ResolvedPath path, FileInode file) {
    tree.update(path, file.closed(tree.nowMs()));
    tree.forgetOpenFile(file.id());
  }
}
