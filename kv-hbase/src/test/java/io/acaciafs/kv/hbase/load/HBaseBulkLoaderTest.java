package io.acaciafs.kv.hbase.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.Stores;
import io.acaciafs.kv.hbase.TestHBase;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Bulk loads into a real HBase, whose table has more regions than shards. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class HBaseBulkLoaderTest {
  private static final Table SPREAD = new Table("entries", 18);
  private static final Table SCATTERED = Table.ofScatteredRows("inodes");
  private static final Table SMALL = Table.ofSingleRows("jobs");
  private static final int REGIONS = 24;
  private static final int ROWS = 2_000;

  @TempDir private Path folder;
  private final LocalHBase hbase;
  private HBaseOptions options;
  private HBaseStore store;

  HBaseBulkLoaderTest(LocalHBase hbase) {
    this.hbase = hbase;
  }

  @BeforeEach
  void open() {
    options = Stores.options(hbase).withTable("loaded").withLoadFolder(folder.toUri().toString());
    HBaseAdmin.format(options, Set.of(SPREAD, SCATTERED, SMALL), REGIONS, true);
    store = HBaseStore.open(options);
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** Spread over all of a table's keys. */
  private static Key key(Table table, int number) {
    return new Key(table, ByteBuffer.allocate(20).putInt(number << 20).putInt(12, number).array());
  }

  private static byte[] value(int number) {
    return number % 3 == 0 ? new byte[0] : new byte[] {0, (byte) number};
  }

  private static void load(BulkLoader loader, Table table, int from, int to) {
    try (BulkLoader.Run run = loader.begin(table)) {
      for (int i = from; i < to; i++) {
        run.add(key(table, i), value(i));
      }
    }
  }

  private List<Row> rows(Table table) {
    List<Row> rows = new ArrayList<>();
    try (Scan scan = store.scan(KeyRange.ofTable(table))) {
      scan.forEachRemaining(rows::add);
    }
    return rows;
  }

  private void requireAll(Table table) {
    List<Row> rows = rows(table);
    assertThat(rows).hasSize(ROWS);
    for (int i = 0; i < ROWS; i++) {
      assertThat(rows.get(i).key()).isEqualTo(key(table, i));
      assertThat(rows.get(i).value()).isEqualTo(value(i));
    }
  }

  @Test
  void rowsOfAllRegionsAreThereOnceFinished() throws Exception {
    BulkLoader loader = store.bulkLoader();
    for (Table table : List.of(SPREAD, SCATTERED, SMALL)) {
      load(loader, table, ROWS / 2, ROWS);
      load(loader, table, 0, ROWS / 2);
      assertThat(rows(table)).as("before the end").isEmpty();
      loader.finish(table);
      requireAll(table);
    }
    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files.filter(Files::isRegularFile)).as("what is not loaded").isEmpty();
    }
  }

  /** One that was cut off may have loaded rows, or some of them, and is begun anew. */
  @Test
  void rowsMayBeLoadedAgain() {
    BulkLoader cutOff = store.bulkLoader();
    load(cutOff, SCATTERED, 0, ROWS / 2);
    cutOff.finish(SCATTERED);
    load(cutOff, SCATTERED, ROWS / 2, ROWS);

    BulkLoader loader = store.bulkLoader();
    load(loader, SCATTERED, 0, ROWS);
    loader.finish(SCATTERED);
    requireAll(SCATTERED);
  }

  @Test
  void transactionsChangeWhatWasLoaded() throws Exception {
    Stores.bind(store);
    BulkLoader loader = store.bulkLoader();
    load(loader, SPREAD, 0, 10);
    loader.finish(SPREAD);
    Transaction transaction = store.begin();
    assertThat(transaction.get(key(SPREAD, 4))).isEqualTo(value(4));
    transaction.put(key(SPREAD, 4), value(5));
    transaction.delete(key(SPREAD, 5));
    transaction.commit().get(30, TimeUnit.SECONDS);
    assertThat(store.get(key(SPREAD, 4))).isEqualTo(value(5));
    assertThat(store.get(key(SPREAD, 5))).isNull();
    assertThat(rows(SPREAD)).hasSize(9);
  }

  @Test
  void deltasAreAddedToLoadedCounters() throws Exception {
    Counters counters = new Counters(new long[] {40, 7}, new long[] {1000});
    BulkLoader loader = store.bulkLoader();
    try (BulkLoader.Run run = loader.begin(SPREAD)) {
      run.add(key(SPREAD, 1), counters.encode());
    }
    loader.finish(SPREAD);
    Stores.bind(store);
    assertThat(store.get(key(SPREAD, 1))).isEqualTo(counters.encode());
    Counters delta = new Counters(new long[] {2, -1}, new long[] {2000});
    for (int i = 0; i < 2; i++) {
      Transaction transaction = store.begin();
      transaction.add(key(SPREAD, 1), delta);
      transaction.commit().get(30, TimeUnit.SECONDS);
    }
    assertThat(Counters.decode(store.get(key(SPREAD, 1))))
        .isEqualTo(counters.plus(delta).plus(delta));
  }

  @Test
  void rowOutOfOrderIsRefused() {
    try (BulkLoader.Run run = store.bulkLoader().begin(SCATTERED)) {
      run.add(key(SCATTERED, 2), value(2));
      assertThatThrownBy(() -> run.add(key(SCATTERED, 1), value(1)))
          .isInstanceOf(StoreException.class);
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
