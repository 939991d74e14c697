package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Table;
import java.nio.file.Path;
import java.util.Set;

/**
 * Stores with little memory, so that tests reach flushes and tables on disk, and use segments of
 * the log again.
 */
final class SmallStores {
  private static final long MIB = 1 << 20;

  private SmallStores() {}

  static RocksDbStore open(Path folder, Set<Table> tables) {
    return RocksDbStore.open(
        folder,
        tables,
        new RocksDbOptions(
            8 * MIB, MIB, 2 * MIB, MIB, 2, RocksDbOptions.defaults().passingRowsKeptMs()));
  }
}
