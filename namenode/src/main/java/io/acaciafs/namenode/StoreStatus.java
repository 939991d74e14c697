package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.namespace.Namespace;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * What a formatted folder and its store say of themselves; for people.
 *
 * @param engine as the setting names it
 * @param place where the store is
 * @param layout of row keys; empty where the store can be read by its NameNode alone, and that runs
 * @param regions of an HBase table, one a line; empty for other engines
 */
public record StoreStatus(
    String engine,
    String place,
    String clusterId,
    String blockPoolId,
    Optional<String> layout,
    List<String> regions) {

  /**
   * Looks.
   *
   * @throws IOException when nothing is formatted, or the store does not answer
   */
  public static StoreStatus look(Configuration conf) throws IOException {
    NameDirectory directory = NameDirectory.of(conf);
    ClusterIdentity identity = directory.read(conf.getTrimmed(Settings.CLUSTER_ID));
    StoreEngine engine = StoreEngine.of(conf, directory, identity);
    engine.requireStore();
    try (ResourceStack resources = new ResourceStack()) {
      Store store = null;
      if (!engine.name().equals(StoreEngine.ROCKSDB) || isFree(directory, resources)) {
        store = resources.add(engine.open(NameNode.tables()));
      }
      return new StoreStatus(
          engine.name(),
          engine.place(),
          identity.clusterId(),
          identity.blockPoolId(),
          Optional.ofNullable(store).map(open -> Namespace.layout(open).label()),
          store instanceof HBaseStore hbase ? hbase.regions() : List.of());
    }
  }

  /** False while its NameNode runs. */
  private static boolean isFree(NameDirectory directory, ResourceStack resources)
      throws IOException {
    AutoCloseable lock = directory.tryLock();
    if (lock != null) {
      resources.add(lock);
    }
    return lock != null;
  }
}
