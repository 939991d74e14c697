package io.acaciafs.namespace.op;

import io.acaciafs.namespace.PathUse;
import io.acaciafs.namespace.ReadOperation;
import io.acaciafs.namespace.ResolvedPath;
import io.acaciafs.namespace.Tree;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;

/**
 * Counts what is below a path. Walks the subtree without holding anything up, so it is exact only
 * while nobody changes it, as in HDFS. Takes long on large trees: not for a network thread.
 */
public record GetContentSummary(String path) implements ReadOperation<ContentSummary> {
  /** HDFS gives the root a quota that nobody can reach. */
  private static final long ROOT_QUOTA = Long.MAX_VALUE;

  private static final long NO_QUOTA = -1;

  private static final String NO_POLICY = "";

  /** ErasureCodeConstants.REPLICATION_POLICY_NAME, what HDFS says of a file without another. */
  private static final String REPLICATED = "REPLICATION";

  /**
   * @throws FileNotFoundException when there is nothing
   */
  @Override
  public ContentSummary run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, PathUse.READ);
    if (!resolved.exists()) {
      throw new FileNotFoundException("File does not exist: " + resolved);
    }
    Count count = new Count(tree);
    if (resolved.inode() instanceof DirectoryInode directory) {
      count.directories++;
      tree.walkSubtree(directory, count);
    } else {
      count.visit(null, resolved.inode());
    }
    return new ContentSummary.Builder()
        .length(count.lengthBytes)
        .fileCount(count.files)
        .directoryCount(count.directories)
        .spaceConsumed(count.spaceBytes)
        .quota(resolved.isRoot() ? ROOT_QUOTA : NO_QUOTA)
        .spaceQuota(NO_QUOTA)
        .erasureCodingPolicy(resolved.inode().isDirectory() ? NO_POLICY : REPLICATED)
        .build();
  }

  private static final class Count implements Tree.SubtreeVisitor<AccessControlException> {
    private final Tree tree;
    private long files;
    private long directories;
    private long lengthBytes;
    private long spaceBytes;

    private Count(Tree tree) {
      this.tree = tree;
    }

    @Override
    public void enter(DirectoryInode directory) throws AccessControlException {
      tree.permissions().checkDirectory(directory, FsAction.READ_EXECUTE);
    }

    @Override
    public void visit(DirectoryInode directory, Inode child) {
      if (child instanceof FileInode file) {
        files++;
        lengthBytes += file.lengthBytes();
        spaceBytes += spaceOfOneReplicaBytes(file) * file.replication();
      } else {
        directories++;
      }
    }

    /** A block that is being written counts as a full one, as in HDFS. */
    private static long spaceOfOneReplicaBytes(FileInode file) {
      if (!file.isUnderConstruction() || file.lastBlock() == null) {
        return file.lengthBytes();
      }
      return file.withoutLastBlock().lengthBytes() + file.preferredBlockSizeBytes();
    }
  }
}
