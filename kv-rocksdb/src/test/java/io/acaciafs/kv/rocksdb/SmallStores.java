package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Table;
import java.nio.file.Path;
import java.util.Set;

/** Stores with little memory, so that tests reach flushes and tables on disk. */
final class SmallStores {
  private static final long MIB = 1 << 20;

  private SmallStores() {}

  static RocksDbStore open(Path folder, Set<Table> tables) {
    return RocksDbStore.open(
        folder,
        tables,
        RocksDbOptions.defaults().withBlockCacheBytes(8 * MIB).withWriteBufferBytes(MIB, 2 * MIB));
  }
}
