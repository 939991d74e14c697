package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.engine.EngineContext;
import io.acaciafs.kv.engine.EngineProvider;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.testkit.EngineRules;
import io.acaciafs.kv.testkit.FolderEngineRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksDbEngineTest implements FolderEngineRules {
  private static final Map<String, String> SETTINGS =
      Map.of("acacia.rocksdb.block.cache", "8388608", "acacia.rocksdb.log.size", "4194304");

  @TempDir private Path folder;

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public EngineProvider provider() {
    return new RocksDbProvider();
  }

  @Override
  public EngineContext context(String name, String owner) throws IOException {
    return EngineRules.context(Files.createDirectories(folder.resolve(name)), owner, SETTINGS);
  }

  @Test
  void readsItsSettings() throws IOException {
    EngineContext context = context("any", null);
    RocksDbOptions options = new RocksDbEngine(context).options();
    assertThat(options.blockCacheBytes()).isEqualTo(8 << 20);
    assertThat(options.maxWalBytes()).isEqualTo(4 << 20);
    assertThat(options.passingRowsKeptMs()).isEqualTo(60_000);

    EngineContext unset =
        new EngineContext(
            folder,
            folder,
            Set.of(),
            5, // as tests of HDFS's retry cache set it
            null,
            EngineRules.context(folder, null, Map.of()).site());
    RocksDbOptions defaults = RocksDbOptions.defaults();
    assertThat(new RocksDbEngine(unset).options()).isEqualTo(defaults.withPassingRowsKeptMs(1000));
  }

  @Test
  void saysWhichFileOfTheStoreIsMissing() throws IOException {
    EngineContext context = context("missing", null);
    RocksDbEngine engine = new RocksDbEngine(context);
    assertThatThrownBy(engine::requireStore).hasMessageContaining("is missing. Restore or mount");
    Files.createDirectory(context.storeFolder());
    assertThatThrownBy(engine::requireStore).hasMessageContaining("is missing. Restore or mount");
    Files.createFile(context.storeFolder().resolve("MARK"));
    assertThatThrownBy(engine::requireStore)
        .hasMessageContaining("its file CURRENT is missing")
        .hasMessageContaining(context.storeFolder().toString());
  }

  @Test
  void aCopyWithoutItsListOfFilesIsNotWhole() throws Exception {
    Path copy = folder.resolve("copy");
    try (EngineStore store = engine("source").open()) {
      store.checkpoints().orElseThrow().make(copy);
    }
    Files.delete(copy.resolve("CURRENT"));
    assertThat(engine("restored").checkpointRestore().orElseThrow().isWhole(copy)).isFalse();
  }

  @Test
  void linksTheFilesThatNeverChange() throws Exception {
    Path copy = folder.resolve("copy");
    try (RocksDbStore store = (RocksDbStore) engine("source").open()) {
      var loader = store.bulkLoader();
      try (var run = loader.begin(EngineRules.ROWS)) {
        run.add(EngineRules.key(1), new byte[] {1});
      }
      loader.finish(EngineRules.ROWS);
      store.checkpoints().orElseThrow().make(copy);
    }
    engine("restored").checkpointRestore().orElseThrow().restore(copy);
    Path restored = context("restored", null).storeFolder();
    try (Stream<Path> files = Files.list(restored)) {
      assertThat(files)
          .isNotEmpty()
          .anyMatch(file -> file.toString().endsWith(".sst"))
          .allMatch(
              file ->
                  file.toString().endsWith(".sst")
                      == fileKey(file).equals(fileKey(copy.resolve(file.getFileName()))));
    }
  }

  private static Object fileKey(Path file) {
    try {
      return Files.getAttribute(file, "unix:ino");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
