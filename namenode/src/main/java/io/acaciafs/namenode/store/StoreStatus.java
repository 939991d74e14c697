package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.settings.Settings;
import io.acaciafs.namespace.record.RowKeyLayout;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * What a formatted folder and its store say of themselves; for people.
 *
 * @param engine as the setting names it
 * @param place where the store is
 * @param layout of row keys, or why the store could not be read
 * @param regions of a store on servers, one a line; empty for other engines
 */
public record StoreStatus(
    String engine,
    String place,
    String clusterId,
    String blockPoolId,
    @Nullable String layout,
    List<String> regions) {

  /**
   * Looks.
   *
   * @throws IOException when nothing is formatted, or the store does not answer
   */
  public static StoreStatus look(Configuration all) throws IOException {
    Configuration conf = CheckedSettings.of(all);
    NameDirectory directory = NameDirectory.of(conf);
    ClusterIdentity identity = directory.read(Settings.clusterId(conf));
    StoreEngine engine = StoreEngine.of(conf, directory, identity);
    engine.requireStore();
    engine.loginTool();
    try (ResourceStack resources = new ResourceStack()) {
      String obstacle = engine.isShared() ? null : obstacle(directory, resources);
      EngineStore store = obstacle == null ? resources.add(engine.open()) : null;
      return new StoreStatus(
          engine.name(),
          engine.place(),
          identity.clusterId(),
          identity.blockPoolId(),
          store == null ? obstacle : RowKeyLayout.of(store).label(),
          store == null ? List.of() : store.regions());
    }
  }

  /** What keeps this process from opening the store; null: nothing, and it has the lock. */
  private static @Nullable String obstacle(NameDirectory directory, ResourceStack resources)
      throws IOException {
    try {
      AutoCloseable lock = directory.tryLock();
      if (lock == null) {
        return "not readable while the NameNode has the store";
      }
      resources.add(lock);
      return null;
    } catch (AccessDeniedException e) {
      return "not readable by a user who may not write " + e.getFile();
    }
  }
}
