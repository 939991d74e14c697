package io.acaciafs.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.schema.RowKeys;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What HBase alone asks for: its costs, and its traps. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class HBaseStoreTest {
  private static final Table TABLE = new Table("rows", 2);

  private final LocalHBase hbase;
  private final HBaseOptions options;
  private HBaseStore store;

  HBaseStoreTest(LocalHBase hbase) {
    this.hbase = hbase;
    this.options =
        Stores.options(hbase).withTable("traps").withTimeouts(1_500, 30_000, 30_000, 500);
  }

  @BeforeEach
  void open() throws Exception {
    store = Stores.openEmpty(options, Set.of(TABLE), 1);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aReadIsOneRoundTripAndSoIsACommitInOnePartition() {
    put(key(1, 1, 1), 1);
    put(key(1, 1, 2), 2);
    add(key(1, 1, 3), 1);
    Transaction transaction = store.begin();
    long before = store.roundTrips().getAsLong();
    assertThat(transaction.get(key(1, 1, 1))).containsExactly(1);
    assertThat(store.roundTrips().getAsLong() - before).as("a read").isEqualTo(1);
    transaction.get(key(1, 1, 4));
    transaction.put(key(1, 1, 1), bytes(5));
    transaction.put(key(1, 1, 4), bytes(4));
    transaction.delete(key(1, 1, 2));
    transaction.add(key(1, 1, 3), counters(1));
    transaction.putIndex(key(1, 1, 5), bytes(5));
    before = store.roundTrips().getAsLong();
    transaction.commit().join();
    assertThat(store.roundTrips().getAsLong() - before).as("a commit").isEqualTo(1);
    assertThat(store.get(key(1, 1, 2))).isNull();
    assertThat(store.get(key(1, 1, 5))).containsExactly(5);
    assertThat(Counters.decode(store.get(key(1, 1, 3)))).isEqualTo(counters(2));
  }

  /** HBase hides a write behind a deletion of the same millisecond, unless told otherwise. */
  @Test
  void aRowThatComesAgainAtOnceIsThere() throws Exception {
    for (int i = 0; i < 200; i++) {
      put(key(1, i), 1);
      delete(key(1, i));
      put(key(1, i), 2);
      assertThat(store.get(key(1, i))).containsExactly(2);
    }
    compact();
    for (int i = 0; i < 200; i++) {
      assertThat(store.get(key(1, i))).containsExactly(2);
    }
  }

  @Test
  void countersComeAndGoThroughFlushesAndCompactions() throws Exception {
    Key counter = key(2, 1);
    add(counter, 5);
    compact();
    add(counter, 3);
    assertThat(Counters.decode(store.get(counter))).isEqualTo(new Counters(longs(8), longs(5)));
    delete(counter);
    compact();
    assertThat(store.get(counter)).isNull();
    add(counter, 1);
    add(counter, 2);
    compact();
    assertThat(Counters.decode(store.get(counter))).isEqualTo(new Counters(longs(3), longs(2)));
  }

  @Test
  void maximaMayBeNegativeAndCountersMayBePut() {
    Key counter = key(2, 2);
    accumulate(counter, new Counters(longs(), longs(-5, Long.MIN_VALUE)));
    accumulate(counter, new Counters(longs(0, 0), longs(-4, -1)));
    accumulate(counter, new Counters(longs(), longs(-7)));
    Counters counted = Counters.decode(store.get(counter));
    assertThat(counted.sum(1)).isZero(); // whether it is stored or not
    assertThat(counted.maxima()).containsExactly(-4, -1);
    Transaction transaction = store.begin();
    transaction.put(counter, counters(100).encode());
    transaction.commit().join();
    assertThat(Counters.decode(store.get(counter))).isEqualTo(counters(100));
    accumulate(counter, counters(1));
    accumulate(counter, counters(1));
    assertThat(Counters.decode(store.get(counter))).isEqualTo(counters(102));
  }

  /** Nobody hears the answers of a server that stands still for longer than a request may take. */
  @Test
  void aCommitWhoseReplyIsLateTakesEffectOnce() throws Exception {
    put(key(3, 1), 1);
    add(key(3, 2), 1);
    store.get(key(3, 3));
    long pid = hbase.serverPids().get(0);
    signal("STOP", pid);
    CompletableFuture<Void> commit;
    try {
      Transaction transaction = store.begin();
      transaction.put(key(3, 3), bytes(3));
      transaction.add(key(3, 2), counters(1));
      commit = transaction.commit();
      assertThatThrownBy(() -> commit.get(2_500, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
    } finally {
      signal("CONT", pid);
    }
    commit.get(30, TimeUnit.SECONDS);
    assertThat(store.get(key(3, 3))).containsExactly(3);
    assertThat(Counters.decode(store.get(key(3, 2)))).isEqualTo(counters(2));
  }

  /** HBase lets an administrator cut a region wherever he likes. */
  @Test
  void aPartitionThatWasCutIsStillAtomic() throws Exception {
    HBaseOptions cut = options.withTable("cut");
    HBaseAdmin.format(cut, Set.of(TABLE), 1, true);
    store.close();
    store = HBaseStore.open(cut);
    put(key(1, 1, 1), 1);
    put(key(1, 1, 9), 1);
    try (AsyncConnection connection = connect()) {
      AsyncAdmin admin = connection.getAdmin();
      admin.split(TableName.valueOf("cut"), RowKeys.of(key(1, 1, 5))).get(30, TimeUnit.SECONDS);
    }
    Transaction transaction = store.begin();
    transaction.get(key(1, 1, 1));
    transaction.put(key(1, 1, 1), bytes(2));
    transaction.put(key(1, 1, 9), bytes(2));
    transaction.commit().get(30, TimeUnit.SECONDS);
    assertThat(store.get(key(1, 1, 1))).containsExactly(2);
    assertThat(store.get(key(1, 1, 9))).containsExactly(2);
  }

  @Test
  void aTableThatIsThereIsNotFormattedUnlessForced() {
    put(key(1), 1);
    assertThatThrownBy(() -> HBaseAdmin.format(options, Set.of(TABLE), 1, false))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("table traps already");
    assertThat(store.get(key(1))).containsExactly(1);
    assertThatThrownBy(() -> HBaseStore.open(options.withTable("none")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no table none: format it first");
  }

  @Test
  void aTableIsOpenedByItsOwnerAlone() {
    HBaseOptions owned = options.withTable("owned").withOwner("cluster A");
    HBaseAdmin.format(owned, Set.of(TABLE), 1, true);
    HBaseStore.open(owned).close();
    assertThatThrownBy(() -> HBaseStore.open(owned.withOwner("cluster B")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("table owned belongs to cluster A, and not to cluster B");

    HBaseAdmin.format(owned.withOwner("cluster B"), Set.of(TABLE), 1, true);
    assertThatThrownBy(() -> HBaseStore.open(owned))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("belongs to cluster B");
    assertThatThrownBy(() -> HBaseStore.open(options.withOwner("cluster A")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nobody that it names");
  }

  @Test
  void aClusterThatIsNotThereIsNamed() {
    HBaseOptions nowhere = HBaseOptions.of("127.0.0.1:1").withTimeouts(500, 500, 1_500, 500);
    assertThatThrownBy(() -> HBaseStore.open(nowhere))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("HBase does not answer at 127.0.0.1:1");
  }

  private void compact() throws Exception {
    TableName table = TableName.valueOf(options.table());
    try (AsyncConnection connection = connect()) {
      connection.getAdmin().flush(table).get(30, TimeUnit.SECONDS);
      connection.getAdmin().majorCompact(table).get(30, TimeUnit.SECONDS);
    }
  }

  private AsyncConnection connect() throws Exception {
    return ConnectionFactory.createAsyncConnection(Connections.configuration(options)).get();
  }

  private static void signal(String signal, long pid) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }

  @Test
  void whatWasGuardedBeforeSomethingWasReadBesideMustHoldAfterIt() {
    Key key = key(2, 7);
    put(key, 1);
    Transaction alone = store.begin();
    alone.get(key);
    Transaction withOthers = store.begin();
    withOthers.get(key);
    put(key, 2);
    withOthers.remoteReads().noteReadBeside();
    alone.validate().join(); // a single row was as it was read
    assertThatThrownBy(() -> withOthers.validate().join())
        .hasCauseInstanceOf(ConflictException.class);
  }

  private void put(Key key, int value) {
    Transaction transaction = store.begin();
    transaction.put(key, bytes(value));
    transaction.commit().join();
  }

  private void delete(Key key) {
    Transaction transaction = store.begin();
    transaction.delete(key);
    transaction.commit().join();
  }

  private void add(Key key, int value) {
    accumulate(key, new Counters(longs(value), longs(value)));
  }

  private void accumulate(Key key, Counters delta) {
    Transaction transaction = store.begin();
    transaction.add(key, delta);
    transaction.commit().join();
  }

  private static Counters counters(long sum) {
    return new Counters(longs(sum), longs(1));
  }

  private static long[] longs(long... values) {
    return values;
  }

  private static Key key(int... bytes) {
    return new Key(TABLE, bytes(bytes));
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
