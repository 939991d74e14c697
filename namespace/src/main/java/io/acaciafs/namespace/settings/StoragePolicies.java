package io.acaciafs.namespace.settings;

import java.util.List;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's storage policies.
 *
 * @param defaultPolicy dfs.storage.default.policy: what applies where none is set
 */
public record StoragePolicies(StoragePolicy defaultPolicy) {
  private static final BlockStoragePolicySuite SUITE = BlockStoragePolicySuite.createDefaultSuite();

  /**
   * @param id 0: the default
   * @return null when there is none with this id
   */
  public @Nullable BlockStoragePolicy policy(byte id) {
    if (id < 0 || id >= 1 << BlockStoragePolicySuite.ID_BIT_LENGTH) {
      return null;
    }
    return SUITE.getPolicy(
        id == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED ? defaultPolicy.value() : id);
  }

  /**
   * @param name in upper or lower case
   * @return null when there is none of this name
   */
  public @Nullable BlockStoragePolicy policy(String name) {
    return SUITE.getPolicy(name);
  }

  public List<BlockStoragePolicy> all() {
    return List.of(SUITE.getAllPolicies());
  }
}
