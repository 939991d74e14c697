package io.acaciafs.namenode.store;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.settings.SettingsCheck;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/**
 * dfs.namenode.name.dir in the hands of a tool that is going to fill it, see {@link NewStore}: no
 * other process gets it before {@link #close}.
 */
public final class FolderToFill implements AutoCloseable {
  private final Configuration conf;
  private final NameDirectory directory;
  private final AutoCloseable lock;

  /** Whether a store is there that was formatted and never used. */
  private boolean hasUnusedStore;

  private FolderToFill(Configuration conf, NameDirectory directory, AutoCloseable lock) {
    this.conf = conf;
    this.directory = directory;
    this.lock = lock;
  }

  /**
   * Takes a folder that has nothing in it, that was formatted and never used, or that such a job
   * left unfinished. What is in it stays as it is.
   *
   * @throws IOException with a sentence when there is anything else in it, it is in use, or the
   *     engine is none that can be filled
   */
  public static FolderToFill take(Configuration all) throws IOException {
    Configuration conf = CheckedSettings.of(all);
    new SettingsCheck(conf).requireHonesty(); // what is brought in shall not be served unprotected
    NameDirectory directory = NameDirectory.of(conf);
    StoreEngine.of(conf, directory, null).requireLoading();
    ResourceStack failed = new ResourceStack();
    try {
      FolderToFill taken = new FolderToFill(conf, directory, failed.add(directory.lock()));
      taken.checkUnused();
      return taken;
    } catch (IOException e) {
      throw failed.closeAfter(e);
    } catch (RuntimeException e) {
      throw failed.closeAfter(e);
    }
  }

  private void checkUnused() throws IOException {
    Filling filling = directory.filling();
    if (directory.isEmpty() || filling != null && filling != Filling.MIGRATING) {
      return;
    }
    if (directory.isFormatted()) {
      try (OfflineStore existing = OfflineStore.openLocked(conf, directory, () -> {})) {
        hasUnusedStore = !isUsed(existing.store());
      }
    }
    if (!hasUnusedStore) {
      throw new IOException(
          "The folder "
              + directory.folder()
              + " is not empty. Name one in dfs.namenode.name.dir that is, or that was formatted"
              + " and never used");
    }
  }

  /** One entry, the root, is there from the beginning. */
  private static boolean isUsed(Store store) {
    if (rows(store, NamespaceKeys.ENTRIES, 2) > 1) {
      return true;
    }
    return BlockManager.tables().stream().anyMatch(table -> rows(store, table, 1) > 0);
  }

  private static int rows(Store store, Table table, int most) {
    int rows = 0;
    try (Scan scan = store.scan(KeyRange.ofTable(table))) {
      for (; rows < most && scan.hasNext(); rows++) {
        scan.next();
      }
    }
    return rows;
  }

  /** A folder on the same disk, for what is needed only meanwhile; need not be there. */
  public Path temporaryFolder() {
    return directory.folder().resolve("import.tmp");
  }

  public NameDirectory directory() {
    return directory;
  }

  /**
   * The engine of the store that is going to be made, with an empty one.
   *
   * @param identity of its owner
   * @throws IOException when there is a store on servers that is none of this folder's
   */
  StoreEngine engine(ClusterIdentity identity) throws IOException {
    StoreEngine engine = StoreEngine.of(conf, directory, identity);
    engine.loginTool();
    if (directory.filling() == null) {
      engine.format(hasUnusedStore);
    } else {
      engine.formatAnew();
    }
    return engine;
  }

  Configuration conf() {
    return conf;
  }

  /** Lets others have it. */
  @Override
  public void close() throws IOException {
    ResourceStack last = new ResourceStack();
    last.add(lock);
    last.close();
  }
}
