package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Table;
import io.acaciafs.kv.engine.Checkpoints;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Copies of a store in use, most of whose files are links to the store's files. */
final class StoreCheckpoints implements Checkpoints {
  /** A copy is read once, in the order of its keys. */
  private static final long COPY_CACHE_BYTES = 16 << 20;

  private final Set<Table> tables;
  private final Consumer<Path> maker;
  private final LongSupplier bytes;

  /**
   * @param tables all that a copy holds
   * @param maker copies the store to a folder, which is not there
   * @param bytes of the files of a copy, about
   */
  StoreCheckpoints(Set<Table> tables, Consumer<Path> maker, LongSupplier bytes) {
    this.tables = Set.copyOf(tables);
    this.maker = maker;
    this.bytes = bytes;
  }

  @Override
  public long bytes() {
    return bytes.getAsLong();
  }

  @Override
  public void make(Path folder) {
    maker.accept(folder);
  }

  @Override
  public RocksDbStore open(Path folder) {
    return RocksDbStore.open(
        folder, tables, RocksDbOptions.defaults().withBlockCacheBytes(COPY_CACHE_BYTES));
  }
}
