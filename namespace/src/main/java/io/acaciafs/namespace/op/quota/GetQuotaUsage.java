package io.acaciafs.namespace.op.quota;

import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Quota;
import io.acaciafs.namespace.record.QuotaCounts;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.QuotaUsage;
import org.jspecify.annotations.Nullable;

/**
 * A directory's quotas and what is used of them, as counted. What has no quota is counted now, as
 * by {@link GetContentSummary}, which takes long on large trees: so there is a {@link Start} here
 * as well.
 */
public record GetQuotaUsage(String path) implements ReadOperation<QuotaUsage> {

  /**
   * @param known null where {@code start} is not: it is to be counted
   */
  public record Known(@Nullable QuotaUsage known, @Nullable SummaryStart start) {}

  /** All but the walk. */
  public record Start(String path) implements ReadOperation<Known> {
    /**
     * @throws FileNotFoundException when there is nothing
     */
    @Override
    public Known run(Tree tree) throws IOException {
      ResolvedPath resolved = tree.resolve(path, PathUse.READ_LINK);
      if (!resolved.exists()) {
        throw new FileNotFoundException("File/Directory does not exist: " + resolved);
      }
      tree.permissions().checkSubtree(resolved);
      Quota quota = resolved.existing().features().quota();
      if (resolved.inode() instanceof DirectoryInode directory && quota.isSet()) {
        return new Known(usage(tree, resolved, directory, quota), null);
      }
      return new Known(null, GetContentSummary.start(tree, resolved));
    }
  }

  /**
   * @throws FileNotFoundException when there is nothing
   */
  @Override
  public QuotaUsage run(Tree tree) throws IOException {
    Known usage = new Start(path).run(tree);
    return usage.known() != null ? usage.known() : new GetContentSummary(path).run(tree);
  }

  private static QuotaUsage usage(
      Tree tree, ResolvedPath path, DirectoryInode directory, Quota quota) {
    QuotaCounts used = tree.quotas().used(directory);
    return new QuotaUsage.Builder()
        .fileAndDirectoryCount(used.names())
        .quota(QuotaRules.namesQuota(path))
        .spaceConsumed(used.spaceBytes())
        .spaceQuota(quota.spaceBytes())
        .typeConsumed(used.typeBytes())
        .typeQuota(QuotaRules.typeQuotas(quota))
        .build();
  }
}
