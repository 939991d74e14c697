package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.engine.CheckpointRestore;
import io.acaciafs.kv.engine.Engine;
import io.acaciafs.kv.engine.EngineContext;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.rocksdb.log.local.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The store in a NameNode's folder. */
public final class RocksDbEngine implements Engine {
  private static final long MIN_PASSING_ROWS_KEPT_MS = 1000;

  private final EngineContext context;

  public RocksDbEngine(EngineContext context) {
    this.context = context;
  }

  @Override
  public String place() {
    return context.storeFolder().toString();
  }

  @Override
  public boolean exists() {
    return Manifest.isNamedIn(context.storeFolder());
  }

  /**
   * @throws IOException where there is no store: an empty one in its place would have the DataNodes
   *     delete all that they keep
   */
  @Override
  public void requireStore() throws IOException {
    if (exists()) {
      return;
    }
    if (holdsFiles(context.storeFolder())) {
      throw new IOException(
          "The store in "
              + context.storeFolder()
              + " is damaged: its file CURRENT is missing. Nothing was changed. Put back the file as"
              + " it was, or restore a backup into an empty folder, see docs/backup.md");
    }
    throw new IOException(
        "The folder "
            + context.folder()
            + " is formatted, but its store "
            + context.storeFolder()
            + " is missing. Restore or mount it; 'acacia format -force' begins anew without any"
            + " file");
  }

  private static boolean holdsFiles(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return false;
    }
    try (Stream<Path> content = Files.list(path)) {
      return content.findAny().isPresent();
    }
  }

  @Override
  public void format(boolean isForced) {
    // Opening makes what is missing.
  }

  @Override
  public EngineStore open() {
    return RocksDbStore.open(context.storeFolder(), context.tables(), options());
  }

  /** As the site has set them. */
  public RocksDbOptions options() {
    return RocksDbOptions.defaults()
        .withBlockCacheBytes(RocksDbConfigKeys.BLOCK_CACHE.in(context.site()))
        .withMaxWalBytes(RocksDbConfigKeys.LOG_SIZE.in(context.site()))
        .withPassingRowsKeptMs(Math.max(MIN_PASSING_ROWS_KEPT_MS, context.passingRowsKeptMs()));
  }

  @Override
  public Optional<CheckpointRestore> checkpointRestore() {
    return Optional.of(new CheckpointFiles(context.storeFolder()));
  }
}
