package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.engine.Checkpoints;
import java.nio.file.Path;

/** Copies of a store in use, most of whose files are links to the store's files. */
final class StoreCheckpoints implements Checkpoints {
  /** A copy is read once, in the order of its keys. */
  private static final long COPY_CACHE_BYTES = 16 << 20;

  private final RocksDbStore store;

  StoreCheckpoints(RocksDbStore store) {
    this.store = store;
  }

  @Override
  public void make(Path folder) {
    store.checkpoint(folder);
  }

  @Override
  public RocksDbStore open(Path folder) {
    return RocksDbStore.open(
        folder, store.tables(), RocksDbOptions.defaults().withBlockCacheBytes(COPY_CACHE_BYTES));
  }
}
