package io.acaciafs.kv.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.Stores;
import io.acaciafs.kv.hbase.TestHBase;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.schema.Columns;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** In how many columns a sum lies. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class SumColumnsTest {
  private static final Table TABLE = new Table("entries", 2);
  private static final Key SELDOM = new Key(TABLE, new byte[] {0, 1});
  private static final Key OFTEN = new Key(TABLE, new byte[] {0, 2});
  private static final int CHANGES = SumColumns.FEW_CHANGES + 2 * SumColumns.MOST;

  private final HBaseOptions options;

  SumColumnsTest(LocalHBase hbase) {
    options = HBaseOptions.of(hbase.zooKeeper()).withTable("sums");
  }

  @Test
  void whatChangesSeldomHasOneAndWhatChangesOftenUsesAllAlike() {
    SumColumns columns = new SumColumns();
    IntStream.range(0, SumColumns.FEW_CHANGES)
        .forEach(
            change -> {
              assertThat(columns.next(OFTEN)).isZero();
              columns.next(SELDOM);
            });
    Map<Integer, Long> uses =
        IntStream.range(0, 3 * SumColumns.MOST)
            .mapToObj(change -> columns.next(OFTEN))
            .collect(Collectors.groupingBy(column -> column, Collectors.counting()));
    assertThat(uses).hasSize(SumColumns.MOST).allSatisfy((column, n) -> assertThat(n).isEqualTo(3));
  }

  @Test
  void aSumIsWhatAllItsColumnsHoldAlsoAfterItsRowWasRemoved() throws Exception {
    try (HBaseStore store = Stores.openEmpty(options, Set.of(TABLE), 1)) {
      add(store, SELDOM, 1);
      add(store, SELDOM, 2);
      for (int i = 1; i <= CHANGES; i++) {
        add(store, OFTEN, i);
      }
      assertThat(sum(store, SELDOM)).isEqualTo(3);
      assertThat(sum(store, OFTEN)).isEqualTo((long) CHANGES * (CHANGES + 1) / 2);
      assertThat(versionsOfSums(SELDOM)).hasSize(1);
      assertThat(versionsOfSums(OFTEN).values())
          .as("what an increment walks over")
          .hasSize(SumColumns.MOST)
          .allMatch(versions -> versions <= SumColumns.FEW_CHANGES + 2);
      Transaction removal = store.begin();
      removal.get(OFTEN);
      removal.delete(OFTEN);
      removal.commit().join();
      assertThat(store.get(OFTEN)).isNull();
      add(store, OFTEN, 5);
      add(store, OFTEN, 6);
      assertThat(sum(store, OFTEN)).isEqualTo(11);
    }
  }

  private static void add(HBaseStore store, Key key, long value) {
    Transaction transaction = store.begin();
    transaction.add(key, new Counters(new long[] {value}, new long[0]));
    transaction.commit().join();
  }

  private static long sum(HBaseStore store, Key key) {
    return Counters.decode(store.get(key)).sum(0);
  }

  /** Of each column that is part of a sum, what HBase keeps of it. */
  private Map<String, Long> versionsOfSums(Key key) throws Exception {
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(Connections.configuration(options)).get()) {
      return Stores.columnsEverWritten(connection, options, key).stream()
          .filter(qualifier -> qualifier[0] == Columns.SUM)
          .collect(Collectors.groupingBy(Bytes::toStringBinary, Collectors.counting()));
    }
  }
}
