package io.acaciafs.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Counters to which somebody adds who does not know whether they are there. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class NewCountersTest {
  private static final Table TABLE = new Table("entries", 1);
  private static final Key COUNTERS = new Key(TABLE, new byte[] {0x20, 1});
  private static final Key OTHER = new Key(TABLE, new byte[] {0x20, 2});

  /** In another region. */
  private static final Key FAR = new Key(TABLE, new byte[] {(byte) 0xF0, 1});

  private final HBaseOptions options;
  private HBaseStore store;

  /** Of another process: it knows nothing of what the first one has added to. */
  private HBaseStore another;

  NewCountersTest(LocalHBase hbase) {
    options = Stores.options(hbase).withTable("new_counters");
  }

  @BeforeEach
  void open() throws Exception {
    store = Stores.openEmpty(options, Set.of(TABLE), 4);
    another = HBaseStore.open(options);
    for (HBaseStore each : List.of(store, another)) {
      Stream.of(COUNTERS, FAR).forEach(each::get); // has all regions located
    }
  }

  @AfterEach
  void close() {
    store.close();
    another.close();
  }

  @Test
  void theFirstAdditionNeedsOneRequestAndSoDoesTheNext() {
    long before = store.requests() + another.requests();
    add(store, 3);
    add(another, 4);
    add(store, 5);
    assertThat(store.requests() + another.requests() - before).isEqualTo(3);
    assertSum(12);
  }

  @Test
  void manyAtOnceAreAllCounted() {
    List<CompletableFuture<Void>> added = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      added.add(adding(i % 2 == 0 ? store : another, 1).commit());
    }
    CompletableFuture.allOf(added.toArray(CompletableFuture[]::new)).join();
    assertSum(300);
  }

  @Test
  void aValueIsAddedTo() {
    put(store, COUNTERS, sum(5).encode());
    add(another, 3);
    assertSum(8);
    add(store, 1);
    assertSum(9);
  }

  @Test
  void theyAreMadeAgainAfterTheyWereRemoved() {
    add(store, 3);
    remove(another);
    assertThat(store.get(COUNTERS)).isNull();
    add(another, 4);
    add(store, 5);
    assertSum(9);
    put(store, COUNTERS, sum(1).encode());
    assertSum(1);
    remove(store);
    add(another, 6);
    assertSum(6);
  }

  /** Then it drops what is hidden, of which there is much: made, removed, made, locked. */
  @Test
  void theyAreTheSameAfterHBaseHasWrittenItsFiles() throws Exception {
    add(store, 3);
    writeFiles();
    remove(another);
    add(another, 4);
    assertSum(4);
    writeFiles();
    assertSum(4);
    addOverRegions();
    writeFiles();
    assertSum(5);
    remove(store);
    writeFiles();
    assertThat(store.get(COUNTERS)).isNull();
    add(store, 6);
    writeFiles();
    assertSum(6);
  }

  private void writeFiles() throws Exception {
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(Connections.configuration(options)).get()) {
      connection.getAdmin().flush(TableName.valueOf(options.table())).get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void theyAreAddedToAfterTheyWereLocked() {
    add(store, 3);
    addOverRegions();
    add(another, 4);
    add(store, 5);
    assertSum(13);
  }

  private void addOverRegions() {
    Transaction transaction = store.begin();
    assertThat(transaction.get(COUNTERS)).isNotNull();
    transaction.add(COUNTERS, sum(1));
    transaction.put(FAR, new byte[] {1});
    transaction.commit().join();
  }

  @Test
  void aGuardOfTheirAbsenceIsRefused() {
    Transaction absent = store.begin();
    assertThat(absent.get(COUNTERS)).isNull();
    absent.put(OTHER, new byte[] {1});
    add(another, 0);
    assertConflict(absent);
    assertThat(store.get(OTHER)).isNull();
  }

  @Test
  void aGuardOfTheirOldValueIsRefused() {
    add(store, 1);
    Transaction reader = another.begin();
    assertThat(reader.get(COUNTERS)).isEqualTo(sum(1).encode());
    reader.add(COUNTERS, sum(1));
    add(store, 1);
    assertConflict(reader);
    assertSum(2);
  }

  private static void assertConflict(Transaction transaction) {
    assertThatThrownBy(() -> transaction.commit().join())
        .hasCauseInstanceOf(ConflictException.class);
  }

  private void assertSum(long expected) {
    assertThat(Counters.decode(store.get(COUNTERS)).sum(0)).isEqualTo(expected);
    assertThat(another.get(COUNTERS)).isEqualTo(store.get(COUNTERS));
  }

  private static Counters sum(long value) {
    return new Counters(new long[] {value}, new long[0]);
  }

  private static Transaction adding(HBaseStore store, long value) {
    Transaction transaction = store.begin();
    transaction.add(COUNTERS, sum(value));
    return transaction;
  }

  private static void add(HBaseStore store, long value) {
    adding(store, value).commit().join();
  }

  private static void put(HBaseStore store, Key key, byte[] value) {
    Transaction transaction = store.begin();
    transaction.put(key, value);
    transaction.commit().join();
  }

  private static void remove(HBaseStore store) {
    Transaction transaction = store.begin();
    transaction.get(COUNTERS);
    transaction.delete(COUNTERS);
    transaction.commit().join();
  }
}
