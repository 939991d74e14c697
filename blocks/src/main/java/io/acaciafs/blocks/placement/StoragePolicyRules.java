package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.kv.Reader;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;

/** HDFS's storage policies, and which one a block follows. Safe for use by many threads. */
public final class StoragePolicyRules {
  private final BlockStoragePolicySuite suite;
  private final FilePolicies files;
  private final Reader reader;

  public StoragePolicyRules(Configuration conf, FilePolicies files, Reader reader) {
    this.suite = BlockStoragePolicySuite.createDefaultSuite(conf);
    this.files = files;
    this.reader = reader;
  }

  /**
   * @param id 0, or one that this version does not know: the default
   */
  BlockStoragePolicy policy(byte id) {
    BlockStoragePolicy policy = suite.getPolicy(id);
    return policy == null ? suite.getDefaultPolicy() : policy;
  }

  public BlockStoragePolicy policyOf(BlockRecord block) {
    return policy(files.policyIdOf(reader, block.fileId()));
  }

  /**
   * Which types of storage further replicas need, and how many of each: the policy's own, or its
   * fallbacks for those that are not available. In the order in which HDFS asks for them.
   *
   * @param replicas all that the block is to have, with those that are there
   */
  static Map<StorageType, Integer> missing(
      BlockStoragePolicy policy,
      int replicas,
      Collection<Storage> there,
      EnumSet<StorageType> unavailable,
      boolean isNewBlock) {
    Map<StorageType, Integer> counts = new EnumMap<>(StorageType.class);
    policy
        .chooseStorageTypes((short) replicas, typesOf(there), unavailable, isNewBlock)
        .forEach(type -> counts.merge(type, 1, Integer::sum));
    return counts;
  }

  /** The types of storage that replicas beyond the wanted ones may be taken from. */
  public static List<StorageType> excess(
      BlockStoragePolicy policy, int replication, Collection<Storage> there) {
    return policy.chooseExcess((short) replication, typesOf(there));
  }

  private static List<StorageType> typesOf(Collection<Storage> storages) {
    return storages.stream().map(Storage::type).toList();
  }
}
