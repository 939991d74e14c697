package io.acaciafs.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.local.LocalHBase;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests that arrive when nobody waits for them any more. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class FencingTokensTest {
  private static final Table TABLE = new Table("rows", 2);
  private static final Key NEAR = key(1);
  private static final Key FAR = key(0xF0);

  /** More than the store makes in a test. */
  private static final int STORES_PASSES = 10;

  private final HBaseOptions options;
  private final RandomGenerator random = new SplittableRandom(1);
  private AsyncConnection connection;
  private Cluster cluster;
  private FencingTokens passes;
  private Key life;
  private HBaseStore store;
  private HBaseStore other;

  FencingTokensTest(LocalHBase hbase) {
    options =
        HBaseOptions.of(hbase.zooKeeper())
            .withTable("passes")
            .withTimeouts(2_000, 5_000, 20_000, 300);
  }

  @BeforeEach
  void open() throws Exception {
    store = Stores.openEmpty(options, Set.of(TABLE), 2);
    other = HBaseStore.open(options);
    life = Stores.bind(store);
    connection =
        ConnectionFactory.createAsyncConnection(Connections.configuration(options))
            .get(20, TimeUnit.SECONDS);
    cluster = new Cluster(options, connection);
    LockResolver locks = new LockResolver(cluster, random);
    passes = new FencingTokens(cluster, locks, life, CompletableFuture::runAsync, random);
    for (int i = 0; i < STORES_PASSES; i++) {
      passes.make(region(NEAR)).get(20, TimeUnit.SECONDS); // those of the store have their rows
    }
  }

  @AfterEach
  void close() {
    store.close();
    other.close();
    cluster.close();
  }

  @Test
  void nothingTakesEffectOfWhoWasFencedOff() throws Exception {
    put(store, NEAR, 1);
    put(store, FAR, 1);
    FencingTokens.Token pass = passes.make(region(NEAR)).get(10, TimeUnit.SECONDS).pass();
    removeLife();
    other.session().fenceOff(life).get(30, TimeUnit.SECONDS);

    assertThat(send(pass, NEAR, 2, 7)).as("one that was sent before").isEqualTo(Outcome.REFUSED);
    for (Key key : List.of(NEAR, FAR)) {
      Transaction late = store.begin();
      late.put(key, bytes(3));
      assertThatThrownBy(late.commit()::join).hasRootCauseInstanceOf(FencedOffException.class);
      assertThat(other.get(key)).containsExactly(1);
    }
    assertThatThrownBy(() -> passes.make(region(FAR)).get(10, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(StoreException.class);
  }

  /** Both rows are locked when the owner stands still. */
  @Test
  void whoWasFencedOffInTheMiddleOfACommitDoesNotEndIt() throws Exception {
    put(store, NEAR, 1);
    put(store, FAR, 1);
    cluster.show(passes);
    cluster.assignments().connect(Stores.ALONE);
    RowPlan near = new RowPlan(NEAR);
    near.put(bytes(2));
    near.learn(cluster.read(near.row()));
    RowPlan far = new RowPlan(FAR);
    far.put(bytes(2));
    far.learn(cluster.read(far.row()));
    TwoPhaseCommit commit =
        new TwoPhaseCommit(cluster, new LockResolver(cluster, random), random, List.of(near, far));
    assertThat(commit.prepareAll()).isTrue();
    removeLife();
    other.session().fenceOff(life).get(30, TimeUnit.SECONDS);
    assertThatThrownBy(commit::commit).isInstanceOf(StoreException.class);
    assertThat(other.get(NEAR)).containsExactly(1);
    assertThat(other.get(FAR)).containsExactly(1);
    put(other, NEAR, 3);
    put(other, FAR, 3);
  }

  @Test
  void whoLivesIsNotFencedOff() {
    put(store, NEAR, 1);
    assertThatThrownBy(other.session().fenceOff(life)::join)
        .hasRootCauseInstanceOf(StoreException.class);
    put(store, NEAR, 2);
    assertThat(other.get(NEAR)).containsExactly(2);
  }

  @Test
  void aPassIsUsedAgainAndCostsNoRequest() {
    put(store, key(10), 1);
    long before = store.requests();
    for (int i = 11; i < 20; i++) {
      put(store, key(i), 1);
    }
    assertThat(store.requests() - before).isEqualTo(9);
  }

  @Test
  void aPassTellsWhatBecameOfARequest() throws Exception {
    FencingTokens.Token pass = passes.make(region(NEAR)).get(10, TimeUnit.SECONDS).pass();
    assertThat(send(pass, NEAR, 1, 7)).isEqualTo(Outcome.APPLIED);
    assertThat(passes.new Lost(pass, 7, null).wasApplied()).isTrue();
  }

  /** Whoever fences off removes what tells of it. */
  @Test
  void whoWasFencedOffDoesNotSayThatHisRequestWasNotApplied() throws Exception {
    FencingTokens.Token pass = passes.make(region(NEAR)).get(10, TimeUnit.SECONDS).pass();
    assertThat(send(pass, NEAR, 1, 7)).isEqualTo(Outcome.APPLIED);
    removeLife();
    other.session().fenceOff(life).get(30, TimeUnit.SECONDS);
    assertThatThrownBy(passes.new Lost(pass, 7, null)::wasApplied)
        .isInstanceOf(FencedOffException.class);
  }

  /** Nothing was sent then, so it is tried again. */
  @Test
  void aPassThatCannotBeJudgedIsNone() throws Exception {
    RegionRequest request = new RegionRequest(random);
    request.putCell(RowKeys.of(FAR), new RowCell.Value(7, bytes(1)).encode());
    try (Cluster halfAway = new Cluster(options, withoutReads())) {
      halfAway.show(
          new FencingTokens(
              halfAway, new LockResolver(cluster, random), life, CompletableFuture::runAsync, random));
      halfAway.assignments().connect(Stores.ALONE);
      assertThat(halfAway.send(region(FAR), request).get(10, TimeUnit.SECONDS))
          .isInstanceOf(Outcome.NotServed.class);
    }
    assertThat(other.get(FAR)).isNull();
  }

  /** The connection without what reads rows. */
  private AsyncConnection withoutReads() {
    return (AsyncConnection)
        Proxy.newProxyInstance(
            AsyncConnection.class.getClassLoader(),
            new Class<?>[] {AsyncConnection.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getRegionLocator" -> failing(AsyncTableRegionLocator.class);
                  case "close" -> null;
                  default -> method.invoke(connection, arguments);
                });
  }

  private static Object failing(Class<?> type) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) ->
            CompletableFuture.failedFuture(new IOException("a region is on its way")));
  }

  /** It comes when others have written and removed the row that it wants to be absent. */
  @Test
  void aRequestThatComesAfterItWasGivenUpIsRefused() throws Exception {
    FencingTokens.Token pass = passes.make(region(NEAR)).get(10, TimeUnit.SECONDS).pass();
    assertThat(passes.new Lost(pass, 7, null).wasApplied()).isFalse();
    put(other, NEAR, 1);
    remove(other, NEAR);
    assertThat(send(pass, NEAR, 2, 7)).isEqualTo(Outcome.REFUSED);
    assertThat(other.get(NEAR)).isNull();
    assertThat(store.session().settle()).isCompleted();
  }

  @Test
  void aRegionThatIsDividedTakesNewPasses() throws Exception {
    HBaseOptions divided = options.withTable("passes_divided");
    try (HBaseStore one = Stores.openEmpty(divided, Set.of(TABLE), 1)) {
      final Key ownLife = Stores.bind(one);
      put(one, NEAR, 1);
      put(one, FAR, 1);
      connection
          .getAdmin()
          .split(TableName.valueOf(divided.table()), RowKeys.of(new Key(TABLE, bytes(0x80, 0))))
          .get(60, TimeUnit.SECONDS);
      for (int i = 2; i < 30; i++) {
        put(one, NEAR, i);
        put(one, FAR, i);
      }
      remove(one, ownLife);
      try (HBaseStore another = HBaseStore.open(divided)) {
        another.session().fenceOff(ownLife).get(30, TimeUnit.SECONDS);
        assertThat(passesLeft(divided)).isZero();
      }
    }
  }

  private int passesLeft(HBaseOptions where) throws Exception {
    return connection
        .getTable(TableName.valueOf(where.table()))
        .scanAll(new Scan().addColumn(Columns.RECORDS, Columns.TOKEN))
        .get(10, TimeUnit.SECONDS)
        .size();
  }

  private void removeLife() {
    remove(other, life);
  }

  private HRegionLocation region(Key key) {
    return cluster.locateNow(RowKeys.of(key));
  }

  /** A row that is to be absent, or known to nobody. */
  private Outcome send(FencingTokens.Token pass, Key key, int value, long number) throws Exception {
    RegionRequest request = new RegionRequest(random);
    request.putCell(RowKeys.of(key), new RowCell.Value(number, bytes(value)).encode());
    return passes.send(region(key), request, pass, number).get(10, TimeUnit.SECONDS);
  }

  private static void put(HBaseStore writer, Key key, int value) {
    Transaction transaction = writer.begin();
    transaction.put(key, bytes(value));
    transaction.commit().join();
  }

  private static void remove(HBaseStore writer, Key key) {
    Transaction transaction = writer.begin();
    transaction.delete(key);
    transaction.commit().join();
  }

  private static Key key(int first) {
    return new Key(TABLE, bytes(first, 0, 1));
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
