package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.namenode.members.SoleUse;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** The store that a migration reads. No NameNode serves it meanwhile. */
final class MigrationSource implements AutoCloseable {
  private final ResourceStack resources;
  private final ClusterIdentity identity;
  private final StoreEngine engine;
  private final EngineStore store;

  /** Null where the lock of the folder keeps NameNodes away. */
  private final @Nullable SoleUse use;

  private MigrationSource(
      ResourceStack resources,
      ClusterIdentity identity,
      StoreEngine engine,
      EngineStore store,
      @Nullable SoleUse use) {
    this.resources = resources;
    this.identity = identity;
    this.engine = engine;
    this.store = store;
    this.use = use;
  }

  /**
   * @throws IOException when there is none, or a NameNode serves it
   */
  static MigrationSource open(Configuration conf) throws IOException {
    NameDirectory directory = NameDirectory.of(conf);
    ResourceStack resources = new ResourceStack();
    try {
      if (!Engines.chosen(conf).isShared()) {
        requireOwnStore(directory);
        OfflineStore offline =
            resources.add(OfflineStore.openLocked(conf, directory, directory.lock()));
        return new MigrationSource(
            resources, offline.identity(), offline.engine(), offline.store(), null);
      }
      StoreEngine unknown = StoreEngine.of(conf, directory, null);
      unknown.loginTool();
      ClusterIdentity identity = unknown.owner();
      StoreEngine engine = StoreEngine.of(conf, directory, identity);
      EngineStore store = resources.add(engine.open());
      return new MigrationSource(resources, identity, engine, store, engine.useAlone(store));
    } catch (IOException e) {
      throw resources.closeAfter(e);
    } catch (RuntimeException e) {
      throw resources.closeAfter(e);
    }
  }

  private static void requireOwnStore(NameDirectory directory) throws IOException {
    directory.read(null);
    String kept = directory.engine();
    if (kept != null && !kept.equals(Engines.defaultName())) {
      throw new IOException(
          "The folder "
              + directory.folder()
              + " is kept by the engine "
              + kept
              + ", and a folder of the engine "
              + Engines.defaultName()
              + " is needed"
              + (Engines.isShared(kept) ? "" : ": restore a backup of its NameNodes into one"));
    }
  }

  ClusterIdentity identity() {
    return identity;
  }

  EngineStore store() {
    return store;
  }

  String place() {
    return engine.place();
  }

  /** Whether a NameNode has served it since it was opened. */
  boolean wasServed() {
    return use != null && use.isDisturbed();
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
