package io.acaciafs.namenode;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.TransactionRunner;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/**
 * The empty store of a folder that a tool fills from elsewhere. No NameNode starts on the folder
 * before {@link #finish}; what an end without it leaves behind, the next {@link #create} clears.
 */
public final class NewStore implements AutoCloseable {
  private final AutoCloseable lock;
  private final ResourceStack resources;
  private final NameDirectory directory;
  private final RocksDbStore store;
  private final TransactionRunner runner;
  private ClusterIdentity finishedAs;

  private NewStore(
      AutoCloseable lock,
      ResourceStack resources,
      NameDirectory directory,
      RocksDbStore store,
      TransactionRunner runner) {
    this.lock = lock;
    this.resources = resources;
    this.directory = directory;
    this.store = store;
    this.runner = runner;
  }

  /**
   * Takes dfs.namenode.name.dir: one that has nothing in it, that was formatted and never used, or
   * that such a job left unfinished.
   *
   * @throws IOException with a sentence when there is anything else in it, or it is in use
   */
  public static NewStore create(Configuration conf) throws IOException {
    NameDirectory directory = NameDirectory.of(conf);
    StoreEngine.requireRocksDb(conf);
    checkUnused(conf, directory);
    ResourceStack failed = new ResourceStack();
    try {
      AutoCloseable lock = failed.add(directory.lock());
      directory.clear();
      directory.beginFilling();
      ResourceStack resources = failed.add(new ResourceStack());
      RocksDbStore store = OfflineStore.openRocksDb(conf, directory, resources);
      TransactionRunner runner = NameNode.newRunner(store, resources);
      return new NewStore(lock, resources, directory, store, runner);
    } catch (IOException e) {
      throw failed.closeAfter(e);
    } catch (RuntimeException e) {
      throw failed.closeAfter(e);
    }
  }

  /**
   * @throws IOException as {@link #create} does; nothing is changed
   */
  public static void checkUnused(Configuration conf) throws IOException {
    StoreEngine.requireRocksDb(conf);
    checkUnused(conf, NameDirectory.of(conf));
  }

  private static void checkUnused(Configuration conf, NameDirectory directory) throws IOException {
    if (directory.isBeingFilled() || directory.isEmpty()) {
      return;
    }
    boolean isUsed = true;
    if (directory.isFormatted()) {
      try (OfflineStore existing = OfflineStore.open(conf)) {
        isUsed = isUsed(existing.store());
      }
    }
    if (isUsed) {
      throw new IOException(
          "The folder "
              + directory.folder()
              + " is not empty. Name one in dfs.namenode.name.dir that is, or that was formatted and"
              + " never used");
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

  /** Where it lies. */
  public Path folder() {
    return directory.folder();
  }

  /** A folder on the same disk, for what is needed only meanwhile; need not be there. */
  public static Path temporaryFolder(Configuration conf) throws IOException {
    return NameDirectory.of(conf).folder().resolve("import.tmp");
  }

  public RocksDbStore store() {
    return store;
  }

  public TransactionRunner runner() {
    return runner;
  }

  /** It is whole: {@link #close} makes it a folder to start from. */
  public void finish(ClusterIdentity identity) {
    finishedAs = identity;
  }

  /** Closes the store; one that is not finished is removed. */
  @Override
  public void close() throws IOException {
    ResourceStack last = new ResourceStack();
    last.add(lock);
    try (last) {
      resources.close();
      if (finishedAs == null) {
        directory.clear();
      } else {
        directory.write(finishedAs, StoreEngine.ROCKSDB);
        directory.endFilling();
      }
    }
  }
}
