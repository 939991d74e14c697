package io.acaciafs.namespace.op;

import io.acaciafs.namespace.Directories;
import io.acaciafs.namespace.PathUse;
import io.acaciafs.namespace.ReadOperation;
import io.acaciafs.namespace.ResolvedPath;
import io.acaciafs.namespace.Tree;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Quota;
import io.acaciafs.namespace.record.QuotaCounts;
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
  private static final String NO_POLICY = "";

  /** ErasureCodeConstants.REPLICATION_POLICY_NAME, what HDFS says of a file without another. */
  private static final String REPLICATED = "REPLICATION";

  /**
   * @throws FileNotFoundException when there is nothing
   */
  @Override
  public ContentSummary run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, PathUse.READ_LINK);
    if (!resolved.exists()) {
      throw new FileNotFoundException("File does not exist: " + resolved);
    }
    Count count = new Count(tree);
    if (resolved.inode() instanceof DirectoryInode directory) {
      count.directories++;
      tree.directories().walkSubtree(directory, count);
    } else {
      count.visit(null, resolved.inode());
    }
    ContentSummary.Builder summary =
        new ContentSummary.Builder()
            .length(count.lengthBytes)
            .fileCount(count.files)
            .directoryCount(count.directories)
            .spaceConsumed(count.spaceBytes)
            .erasureCodingPolicy(resolved.inode() instanceof FileInode ? REPLICATED : NO_POLICY);
    Quota quota = resolved.inode().features().quota();
    summary.quota(QuotaRules.namesQuota(resolved)).spaceQuota(quota.spaceBytes());
    if (resolved.inode() instanceof DirectoryInode directory && quota.isSet()) {
      summary
          .typeConsumed(tree.quotas().used(directory).typeBytes())
          .typeQuota(QuotaRules.typeQuotas(quota));
    }
    return summary.build();
  }

  private static final class Count implements Directories.SubtreeVisitor<AccessControlException> {
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
        spaceBytes += QuotaCounts.oneReplicaBytes(file) * file.replication();
      } else if (child instanceof DirectoryInode) {
        directories++;
      } else {
        files++; // a symbolic link
      }
    }
  }
}
