package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.TransactionRunner;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** The store of a formatted folder that no NameNode serves meanwhile; for tools. */
public final class OfflineStore implements AutoCloseable {
  private final ResourceStack resources;
  private final ClusterIdentity identity;
  private final RocksDbStore store;
  private final TransactionRunner runner;

  private OfflineStore(
      ResourceStack resources,
      ClusterIdentity identity,
      RocksDbStore store,
      TransactionRunner runner) {
    this.resources = resources;
    this.identity = identity;
    this.store = store;
    this.runner = runner;
  }

  /**
   * Opens the store of dfs.namenode.name.dir.
   *
   * @throws IOException when it is not formatted, or in use
   */
  public static OfflineStore open(Configuration conf) throws IOException {
    NameDirectory directory = NameDirectory.of(conf);
    StoreEngine.requireRocksDb(conf);
    directory.read(conf.getTrimmed(Settings.CLUSTER_ID));
    return openLocked(conf, directory, directory.lock());
  }

  /** Opens the store of a folder that is locked; closes the lock in the end, and on failure. */
  static OfflineStore openLocked(Configuration conf, NameDirectory directory, AutoCloseable lock)
      throws IOException {
    ResourceStack resources = new ResourceStack();
    try {
      resources.add(lock);
      ClusterIdentity identity = directory.read(conf.getTrimmed(Settings.CLUSTER_ID));
      StoreEngine.of(conf, directory, identity).requireStore();
      RocksDbStore store = openRocksDb(conf, directory, resources);
      return new OfflineStore(resources, identity, store, NameNode.newRunner(store, resources));
    } catch (IOException e) {
      throw resources.closeAfter(e);
    } catch (RuntimeException e) {
      throw resources.closeAfter(e);
    }
  }

  static RocksDbStore openRocksDb(
      Configuration conf, NameDirectory directory, ResourceStack resources) {
    return resources.add(
        RocksDbStore.open(directory.storeFolder(), NameNode.tables(), Settings.rocksDb(conf)));
  }

  /** Who the folder belongs to. */
  public ClusterIdentity identity() {
    return identity;
  }

  /** The store itself. */
  public RocksDbStore store() {
    return store;
  }

  /** Runs transactions on it. */
  public TransactionRunner runner() {
    return runner;
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
