package io.acaciafs.namespace.op;

import io.acaciafs.namespace.PathUse;
import io.acaciafs.namespace.ReadOperation;
import io.acaciafs.namespace.ResolvedPath;
import io.acaciafs.namespace.Tree;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Quota;
import io.acaciafs.namespace.record.QuotaCounts;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.permission.FsAction;

/**
 * A directory's quotas and what is used of them, as counted. What has no quota is counted now, as
 * by {@link GetContentSummary}, which takes long on large trees: not for a network thread.
 */
public record GetQuotaUsage(String path) implements ReadOperation<QuotaUsage> {
  /**
   * @throws FileNotFoundException when there is nothing
   */
  @Override
  public QuotaUsage run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, PathUse.READ_LINK);
    tree.permissions().checkInode(resolved, FsAction.READ_EXECUTE);
    if (!resolved.exists()) {
      throw new FileNotFoundException("File/Directory does not exist: " + resolved);
    }
    Quota quota = resolved.inode().features().quota();
    if (resolved.inode() instanceof DirectoryInode directory && quota.isSet()) {
      QuotaCounts used = tree.quotas().used(directory);
      return new QuotaUsage.Builder()
          .fileAndDirectoryCount(used.names())
          .quota(QuotaRules.namesQuota(resolved))
          .spaceConsumed(used.spaceBytes())
          .spaceQuota(quota.spaceBytes())
          .typeConsumed(used.typeBytes())
          .typeQuota(QuotaRules.typeQuotas(quota))
          .build();
    }
    return new GetContentSummary(path).run(tree);
  }
}
