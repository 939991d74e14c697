package io.acaciafs.kv.rocksdb;

import static io.acaciafs.settings.Range.atLeast;

import io.acaciafs.settings.Default;
import io.acaciafs.settings.Setting;
import java.util.List;

/** The settings of the engine. */
final class RocksDbConfigKeys {
  private static final long MIB = 1 << 20;

  static final Setting<Long> LOG_SIZE =
      Setting.ofBytes(
          "acacia.rocksdb.log.size",
          Default.of(RocksDbOptions.defaults().maxWalBytes()),
          atLeast(MIB),
          "how long the log grows before its rows are written into RocksDB's files. A start after a"
              + " crash reads it; it takes as much of the heap, and up to three times as much while"
              + " the disk is slow");

  static final Setting<Long> BLOCK_CACHE =
      Setting.ofBytes(
          "acacia.rocksdb.block.cache",
          Default.of(RocksDbOptions.defaults().blockCacheBytes()),
          atLeast(MIB),
          "memory for blocks of the store that were read: the more of the namespace it holds, the"
              + " fewer reads go to the disk");

  static final List<Setting<?>> ALL = List.of(LOG_SIZE, BLOCK_CACHE);

  private RocksDbConfigKeys() {}
}
