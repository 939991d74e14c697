package io.acaciafs.namespace.op.policy;

import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.settings.StoragePolicies;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.jspecify.annotations.Nullable;

/**
 * Gives a file or directory a storage policy, which all below inherit that have none of their own.
 * Blocks that are there do not move.
 *
 * @param policyName null: what it has of its own is taken away
 */
public record SetStoragePolicy(String path, @Nullable String policyName)
    implements AtMostOnce.Done {
  /**
   * @throws HadoopIllegalArgumentException when there is no such policy, or when it is one that a
   *     file has from its creation on
   * @throws FileNotFoundException when there is nothing
   */
  @Override
  public Void run(Tree tree) throws IOException {
    StoragePolicyRules.checkMayChange(
        tree,
        policyName == null ? "unset storage policy" : "set storage policy",
        policyName == null ? "unsetStoragePolicy" : "setStoragePolicy");
    StoragePolicies policies = tree.settings().features().storagePolicies();
    BlockStoragePolicy policy =
        policyName == null ? null : StoragePolicyRules.named(policies, policyName);
    ResolvedPath resolved = tree.resolve(path, PathUse.WRITE);
    tree.permissions().checkInode(resolved, FsAction.WRITE);
    if (!resolved.exists()) {
      throw new FileNotFoundException("File/Directory does not exist: " + resolved);
    }
    Inode inode = resolved.existing();
    if (!inode.isDirectory()) {
      checkMayChange(policies.policy(inode.features().storagePolicyId()), policy);
    }
    byte id = policy == null ? HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED : policy.getId();
    tree.update(resolved, inode.with(inode.features().withStoragePolicyId(id)));
    return null;
  }

  private static void checkMayChange(
      @Nullable BlockStoragePolicy current, @Nullable BlockStoragePolicy wanted) {
    if (wanted != null && wanted.isCopyOnCreateFile()) {
      throw new HadoopIllegalArgumentException(
          "Policy " + wanted + " cannot be set after file creation.");
    }
    if (current != null && current.isCopyOnCreateFile()) {
      throw new HadoopIllegalArgumentException(
          "Existing policy " + current.getName() + " cannot be changed after file creation.");
    }
  }
}
