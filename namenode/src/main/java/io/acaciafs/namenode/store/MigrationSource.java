package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.namenode.members.MemberTable;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** The store that a migration reads. No NameNode serves it meanwhile. */
final class MigrationSource implements AutoCloseable {
  private final ResourceStack resources;
  private final ClusterIdentity identity;
  private final StoreEngine engine;
  private final EngineStore store;

  /** Which NameNodes had served it when it was opened. */
  private final List<Long> members;

  private MigrationSource(
      ResourceStack resources, ClusterIdentity identity, StoreEngine engine, EngineStore store) {
    this.resources = resources;
    this.identity = identity;
    this.engine = engine;
    this.store = store;
    this.members = engine.isShared() ? MemberTable.numbers(store) : List.of();
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
            resources, offline.identity(), offline.engine(), offline.store());
      }
      StoreEngine unknown = StoreEngine.of(conf, directory, null);
      unknown.loginTool();
      ClusterIdentity identity = unknown.owner();
      StoreEngine engine = StoreEngine.of(conf, directory, identity);
      EngineStore store = resources.add(engine.open());
      engine.requireNoMembers(store);
      return new MigrationSource(resources, identity, engine, store);
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
    return engine.isShared() && !members.equals(MemberTable.numbers(store));
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
