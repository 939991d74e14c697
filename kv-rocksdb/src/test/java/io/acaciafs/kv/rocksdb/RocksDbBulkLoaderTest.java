package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.testkit.BulkLoaderConformance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksDbBulkLoaderTest extends BulkLoaderConformance {
  @TempDir private Path folder;

  @Override
  protected EngineStore format() {
    return RocksDbStore.open(folder, TABLES, RocksDbOptions.defaults());
  }

  private void reopen() {
    store.close();
    store = format();
  }

  private boolean hasFile(String part) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.anyMatch(file -> file.toString().contains(part));
    }
  }

  @Test
  void loadedRowsStay() throws Exception {
    loadAll();
    reopen();
    TABLES.forEach(this::requireAll);
    assertThat(hasFile("bulk")).isFalse();
  }

  @Test
  void aRunWithoutRowsLeavesNoFile() throws Exception {
    load(store.bulkLoader(), SPREAD, 0, 0);
    assertThat(hasFile("bulk")).isFalse();
  }

  /** A kill may leave a link to a file that the store has taken over under a name to write to. */
  @Test
  void fileThatWasLeftIsNotWrittenInto() throws Exception {
    BulkLoader loader = store.bulkLoader();
    load(loader, SPREAD, 0, 10);
    loader.finish(SPREAD);
    try (Stream<Path> files = Files.list(folder)) {
      Path taken = files.filter(file -> file.toString().endsWith(".sst")).findFirst().orElseThrow();
      Files.createLink(folder.resolve("bulk-0.sst.part"), taken);
    }
    reopen();
    loader = store.bulkLoader();
    load(loader, SPREAD, 10, ROWS);
    loader.finish(SPREAD);
    reopen();
    requireAll(SPREAD);
  }
}
