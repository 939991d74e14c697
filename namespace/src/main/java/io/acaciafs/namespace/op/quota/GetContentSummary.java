package io.acaciafs.namespace.op.quota;

import io.acaciafs.kv.value.Saturated;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Quota;
import io.acaciafs.namespace.record.QuotaCounts;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.summary.SubtreeTotals;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.ContentSummary;

/**
 * Counts what is below a path. Walks the subtree without holding anything up, so it is exact only
 * while nobody changes it, as in HDFS. Takes long on large trees: a server of many callers runs
 * {@link Start} and leaves the walk to a {@link io.acaciafs.namespace.summary.SubtreeCounter}.
 */
public record GetContentSummary(String path) implements ReadOperation<ContentSummary> {
  private static final String NO_POLICY = "";

  /** What HDFS says of a file without another, other than where it lists policies. */
  private static final String REPLICATED = "Replicated";

  /** All but the walk. */
  public record Start(String path) implements ReadOperation<SummaryStart> {
    /**
     * @throws FileNotFoundException when there is nothing
     */
    @Override
    public SummaryStart run(Tree tree) throws IOException {
      ResolvedPath resolved = tree.resolve(path, PathUse.READ_LINK);
      if (!resolved.exists()) {
        throw new FileNotFoundException("File does not exist: " + resolved);
      }
      return start(tree, resolved);
    }
  }

  /** The same of a path that was followed, and exists. */
  static SummaryStart start(Tree tree, ResolvedPath path) {
    if (!(path.inode() instanceof DirectoryInode directory)) {
      ContentSummary summary = ofOne(path).build();
      return new SummaryStart(null, none -> summary);
    }
    ContentSummary.Builder summary = quotas(tree, path, directory);
    return new SummaryStart(
        directory,
        below ->
            summary
                .length(below.lengthBytes())
                .fileCount(below.files())
                .directoryCount(below.directories() + 1)
                .spaceConsumed(below.spaceBytes())
                .build());
  }

  /**
   * @throws FileNotFoundException when there is nothing
   */
  @Override
  public ContentSummary run(Tree tree) throws IOException {
    SummaryStart start = new Start(path).run(tree);
    return start.end().apply(start.top() == null ? SubtreeTotals.NONE : tree.count(start.top()));
  }

  private static ContentSummary.Builder ofOne(ResolvedPath path) {
    ContentSummary.Builder summary = new ContentSummary.Builder().fileCount(1);
    if (path.inode() instanceof FileInode file) {
      summary
          .length(file.lengthBytes())
          .spaceConsumed(Saturated.multiply(QuotaCounts.oneReplicaBytes(file), file.replication()))
          .erasureCodingPolicy(REPLICATED);
    } else {
      summary.erasureCodingPolicy(NO_POLICY);
    }
    Quota quota = path.existing().features().quota();
    summary.quota(QuotaRules.namesQuota(path)).spaceQuota(quota.spaceBytes());
    return summary;
  }

  private static ContentSummary.Builder quotas(
      Tree tree, ResolvedPath path, DirectoryInode directory) {
    Quota quota = directory.features().quota();
    ContentSummary.Builder summary = new ContentSummary.Builder().erasureCodingPolicy(NO_POLICY);
    summary.quota(QuotaRules.namesQuota(path)).spaceQuota(quota.spaceBytes());
    if (quota.isSet()) {
      summary
          .typeConsumed(tree.quotas().used(directory).typeBytes())
          .typeQuota(QuotaRules.typeQuotas(quota));
    }
    return summary;
  }
}
