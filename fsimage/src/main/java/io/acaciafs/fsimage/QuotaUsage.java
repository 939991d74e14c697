package io.acaciafs.fsimage;

import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.QuotaCounts;
import io.acaciafs.namespace.settings.StoragePolicies;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicy;

/**
 * What is used of each quota: an image does not say. Each inode counts for the nearest directory
 * with a quota; at the end that counts for those above. {@link #add} is safe for many threads.
 */
final class QuotaUsage {
  private final DirectoryTable directories;
  private final StoragePolicies policies = new StoragePolicies(StoragePolicy.HOT);
  private final Map<Integer, QuotaCounts> own = new ConcurrentHashMap<>();

  QuotaUsage(DirectoryTable directories) {
    this.directories = directories;
  }

  /**
   * An inode is taken over.
   *
   * @param directory number of the one that it is in; {@link DirectoryTable#NONE} for the root
   */
  void add(Inode inode, int directory) {
    int place = inode instanceof DirectoryInode ? directories.numberOf(inode.id()) : directory;
    int quota = directories.quotaOf(place);
    if (quota != DirectoryTable.NONE) {
      own.merge(quota, counts(inode, place), QuotaCounts::plus);
    }
  }

  private QuotaCounts counts(Inode inode, int directory) {
    if (!(inode instanceof FileInode file)) {
      return QuotaCounts.ONE_NAME;
    }
    byte own = file.features().storagePolicyId();
    byte policy =
        own == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED
            ? directories.policyOf(directory)
            : own;
    return QuotaCounts.of(
        file,
        policy == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED
            ? null
            : policies.policy(policy));
  }

  /** By inode id of the directory with the quota. */
  Map<Long, QuotaCounts> all() {
    Map<Long, QuotaCounts> sums = new TreeMap<>();
    own.forEach(
        (number, counts) -> {
          int at = number;
          while (at != DirectoryTable.NONE) {
            sums.merge(directories.idOf(at), counts, QuotaCounts::plus);
            int parent = directories.parentOf(at);
            at = parent == DirectoryTable.NONE ? parent : directories.quotaOf(parent);
          }
        });
    return sums;
  }
}
