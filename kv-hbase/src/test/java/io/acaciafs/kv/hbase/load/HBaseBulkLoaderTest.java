package io.acaciafs.kv.hbase.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.Stores;
import io.acaciafs.kv.hbase.TestHBase;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.testkit.BulkLoaderConformance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Bulk loads into a real HBase, whose table has more regions than shards. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class HBaseBulkLoaderTest extends BulkLoaderConformance {
  private static final int REGIONS = 24;

  @TempDir private Path folder;
  private final HBaseOptions options;

  HBaseBulkLoaderTest(LocalHBase hbase) {
    options = Stores.options(hbase).withTable("loaded");
  }

  @Override
  protected EngineStore format() {
    HBaseAdmin.format(options, TABLES, REGIONS, true);
    return HBaseStore.open(options.withLoadFolder(folder.toUri().toString()));
  }

  @Override
  protected void admitTransactions() throws Exception {
    Stores.bind((HBaseStore) store);
  }

  @Test
  void noFileIsLeft() throws Exception {
    loadAll();
    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files.filter(Files::isRegularFile)).as("what is not loaded").isEmpty();
    }
  }

  @Test
  void storeWithoutFolderSaysWhatToSet() {
    try (HBaseStore without = HBaseStore.open(options.withLoadFolder(null))) {
      assertThatThrownBy(without::bulkLoader)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("acacia.store.hbase.load.folder");
    }
  }
}
