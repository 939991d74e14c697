package io.acaciafs.fsimage;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.blocks.load.LoadedBlocks;
import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.RowKeyLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A store to import into. */
final class ImportFixture implements AutoCloseable {
  static final ClusterIdentity IDENTITY = new ClusterIdentity(7, "CID-x", "BP-x", 99);

  private final ScheduledExecutorService retries =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "import-test"));
  private final Path folder;
  private final RocksDbStore store;

  ImportFixture(Path folder) {
    this.folder = folder;
    Set<Table> tables = new HashSet<>(Namespace.tables());
    tables.addAll(BlockManager.tables());
    store = RocksDbStore.open(folder.resolve("store"), tables, RocksDbOptions.defaults());
  }

  RocksDbStore store() {
    return store;
  }

  /** Before it is loaded. */
  void place(RowKeyLayout layout) {
    Namespace.place(new TransactionRunner(store, retries, new Random(1)), layout).join();
  }

  /** Where what does not fit into memory goes. */
  Path temporary() {
    return folder.resolve("temporary");
  }

  /**
   * Surveys and loads.
   *
   * @return how many inodes stay behind
   */
  long load(Path image) throws IOException {
    try (ImageImport source = ImageImport.open(image, temporary(), 2, true, ImageProgress.NONE)) {
      source.survey(ImageProgress.NONE);
      return source.load(
          new TransactionRunner(store, retries, new Random(1)),
          store.bulkLoader(),
          ImageProgress.NONE);
    }
  }

  /** Writes what is in the store as an image. */
  Path export(Path target) throws IOException {
    new ImageExport(store, IDENTITY).run(target, ImageProgress.NONE);
    long transactionId = LoadedBlocks.transactionId(store);
    return target.resolve(String.format("current/fsimage_%019d", transactionId));
  }

  @Override
  public void close() {
    store.close();
    retries.shutdownNow();
  }
}
