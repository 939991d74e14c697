package io.acaciafs.namespace.op.policy;

import io.acaciafs.namespace.settings.FeatureSettings;
import io.acaciafs.namespace.settings.StoragePolicies;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/** Which storage policies there are, and which one a file gets. */
public final class StoragePolicyRules {
  private StoragePolicyRules() {}

  /**
   * @param what the caller wants to do, for the refusal
   * @param operation the same as HDFS calls it
   */
  static void checkMayChange(Tree tree, String what, String operation) throws IOException {
    FeatureSettings settings = tree.settings().features();
    if (!settings.storagePolicyAccess().enabled()) {
      throw new IOException(
          "Failed to " + what + " since dfs.storage.policy.enabled is set to false.");
    }
    if (settings.storagePolicyAccess().superuserOnly()) {
      tree.permissions().checkSuperuser(operation, null);
    }
  }

  /**
   * @throws HadoopIllegalArgumentException when there is none of this name
   */
  static BlockStoragePolicy named(StoragePolicies policies, String name) {
    BlockStoragePolicy policy = policies.policy(name);
    if (policy == null) {
      throw new HadoopIllegalArgumentException("Cannot find a block policy with the name " + name);
    }
    return policy;
  }

  /**
   * The policy that a new file has of its own. One that cannot be changed later is copied from the
   * directory, so that it does not change with it.
   *
   * @param inheritedId of the directory; 0: none
   * @param name asked for; empty: none
   * @return 0: none
   */
  public static byte ofNewFile(
      StoragePolicies policies, byte inheritedId, String name, boolean lazyPersist) {
    byte ownId =
        name.isEmpty()
            ? HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED
            : named(policies, name).getId();
    if (lazyPersist) {
      return HdfsConstants.StoragePolicy.LAZY_PERSIST.value();
    }
    if (ownId == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED) {
      BlockStoragePolicy inherited = policies.policy(inheritedId);
      return inherited != null && inherited.isCopyOnCreateFile() ? inherited.getId() : ownId;
    }
    return ownId;
  }
}
