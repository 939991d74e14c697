package io.acaciafs.kv.testkit;

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
import io.acaciafs.kv.engine.EngineStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each engine's {@link BulkLoader} has to do. */
public abstract class BulkLoaderConformance {
  protected static final Table SPREAD = new Table("entries", 18);
  protected static final Table SCATTERED = Table.ofScatteredRows("inodes");
  protected static final Table SMALL = Table.ofSingleRows("jobs");
  protected static final Set<Table> TABLES = Set.of(SPREAD, SCATTERED, SMALL);

  protected static final int ROWS = 2_000;
  private static final int LIMIT_SECONDS = 30;

  protected EngineStore store;

  /** An empty store with {@link #TABLES}. */
  protected abstract EngineStore format();

  /** From now on the store takes transactions. */
  protected void admitTransactions() throws Exception {}

  @BeforeEach
  void open() {
    store = format();
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** Spread over all of a table's keys. */
  protected static Key key(Table table, int number) {
    return new Key(table, ByteBuffer.allocate(20).putInt(number << 20).putInt(12, number).array());
  }

  protected static byte[] value(int number) {
    return number % 3 == 0 ? new byte[0] : new byte[] {0, (byte) number};
  }

  protected static void load(BulkLoader loader, Table table, int from, int to) {
    try (BulkLoader.Run run = loader.begin(table)) {
      for (int i = from; i < to; i++) {
        run.add(key(table, i), value(i));
      }
    }
  }

  protected final List<Row> rows(Table table) {
    List<Row> rows = new ArrayList<>();
    try (Scan scan = store.scan(KeyRange.ofTable(table))) {
      scan.forEachRemaining(rows::add);
    }
    return rows;
  }

  protected final void requireAll(Table table) {
    List<Row> rows = rows(table);
    assertThat(rows).hasSize(ROWS);
    assertThat(store.get(key(table, ROWS - 1))).isEqualTo(value(ROWS - 1));
    for (int i = 0; i < ROWS; i++) {
      assertThat(rows.get(i).key()).isEqualTo(key(table, i));
      assertThat(rows.get(i).value()).isEqualTo(value(i));
    }
  }

  /** Loads all rows that {@link #requireAll} wants into each table. */
  protected final void loadAll() {
    BulkLoader loader = store.bulkLoader();
    for (Table table : List.of(SPREAD, SCATTERED, SMALL)) {
      load(loader, table, ROWS / 2, ROWS);
      load(loader, table, 0, ROWS / 2);
      assertThat(rows(table)).as("before the end").isEmpty();
      loader.finish(table);
    }
  }

  @Test
  void rowsAreThereOnceFinished() {
    loadAll();
    for (Table table : TABLES) {
      requireAll(table);
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
    admitTransactions();
    BulkLoader loader = store.bulkLoader();
    load(loader, SPREAD, 0, 10);
    loader.finish(SPREAD);
    Transaction transaction = store.begin();
    assertThat(transaction.get(key(SPREAD, 4))).isEqualTo(value(4));
    transaction.put(key(SPREAD, 4), value(5));
    transaction.delete(key(SPREAD, 5));
    transaction.commit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
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
    admitTransactions();
    assertThat(store.get(key(SPREAD, 1))).isEqualTo(counters.encode());
    Counters delta = new Counters(new long[] {2, -1}, new long[] {2000});
    for (int i = 0; i < 2; i++) {
      Transaction transaction = store.begin();
      transaction.add(key(SPREAD, 1), delta);
      transaction.commit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
    assertThat(Counters.decode(store.get(key(SPREAD, 1))))
        .isEqualTo(counters.plus(delta).plus(delta));
  }

  @Test
  void aRunWithoutRowsLoadsNothing() {
    BulkLoader loader = store.bulkLoader();
    load(loader, SPREAD, 0, 0);
    loader.finish(SPREAD);
    assertThat(rows(SPREAD)).isEmpty();
  }

  @Test
  void rowOutOfOrderIsRefused() {
    try (BulkLoader.Run run = store.bulkLoader().begin(SCATTERED)) {
      run.add(key(SCATTERED, 2), value(2));
      assertThatThrownBy(() -> run.add(key(SCATTERED, 1), value(1)))
          .isInstanceOf(StoreException.class);
    }
  }
}
