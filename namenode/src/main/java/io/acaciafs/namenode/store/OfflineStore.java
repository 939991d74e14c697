package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namenode.settings.Settings;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** The store of a formatted folder that no NameNode serves meanwhile; for tools. */
public final class OfflineStore implements AutoCloseable {
  private final ResourceStack resources;
  private final ClusterIdentity identity;
  private final StoreEngine engine;
  private final EngineStore store;
  private final TransactionRunner runner;

  private OfflineStore(
      ResourceStack resources,
      ClusterIdentity identity,
      StoreEngine engine,
      EngineStore store,
      TransactionRunner runner) {
    this.resources = resources;
    this.identity = identity;
    this.engine = engine;
    this.store = store;
    this.runner = runner;
  }

  /**
   * Opens the store of dfs.namenode.name.dir.
   *
   * @throws IOException when it is not formatted, or in use
   */
  public static OfflineStore open(Configuration all) throws IOException {
    Configuration conf = CheckedSettings.of(all);
    NameDirectory directory = NameDirectory.of(conf);
    directory.read(Settings.clusterId(conf));
    return openLocked(conf, directory, directory.lock());
  }

  /** Opens the store of a folder that is locked; closes the lock in the end, and on failure. */
  static OfflineStore openLocked(Configuration conf, NameDirectory directory, AutoCloseable lock)
      throws IOException {
    ResourceStack resources = new ResourceStack();
    try {
      resources.add(lock);
      ClusterIdentity identity = directory.read(Settings.clusterId(conf));
      StoreEngine engine = StoreEngine.of(conf, directory, identity);
      engine.requireStore();
      engine.loginTool();
      EngineStore store = resources.add(engine.open());
      engine.requireNoMembers(store);
      return new OfflineStore(
          resources, identity, engine, store, Transactions.newRunner(store, resources));
    } catch (IOException e) {
      throw resources.closeAfter(e);
    } catch (StoreException e) {
      throw resources.closeAfter(new IOException(e.getMessage(), e));
    } catch (RuntimeException e) {
      throw resources.closeAfter(e);
    }
  }

  /** The cluster that the folder belongs to. */
  public ClusterIdentity identity() {
    return identity;
  }

  public StoreEngine engine() {
    return engine;
  }

  /** The store itself. */
  public EngineStore store() {
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
