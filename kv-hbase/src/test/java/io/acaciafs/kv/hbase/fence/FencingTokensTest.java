package io.acaciafs.kv.hbase.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.HBaseServices;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.Stores;
import io.acaciafs.kv.hbase.TestHBase;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.commit.RowPlan;
import io.acaciafs.kv.hbase.commit.TwoPhaseCommit;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.schema.Columns;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import io.acaciafs.kv.hbase.schema.RowCell;
import io.acaciafs.kv.hbase.schema.RowKeys;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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
  private static final int TOKENS_OF_STORE = 10;

  private final HBaseOptions options;
  private final RandomGenerator random = new SplittableRandom(1);
  private AsyncConnection connection;
  private HBaseServices services;
  private FencingTokens tokens;
  private Key memberRow;
  private HBaseStore store;
  private HBaseStore other;

  FencingTokensTest(LocalHBase hbase) {
    options = Stores.options(hbase).withTable("tokens").withTimeouts(2_000, 5_000, 20_000, 300);
  }

  @BeforeEach
  void open() throws Exception {
    store = Stores.openEmpty(options, Set.of(TABLE), 2);
    other = HBaseStore.open(options);
    memberRow = Stores.bind(store);
    connection =
        ConnectionFactory.createAsyncConnection(Connections.configuration(options))
            .get(60, TimeUnit.SECONDS);
    services = new HBaseServices(options, connection);
    services.membership().bind(memberRow);
    tokens = services.tokens();
    for (int i = 0; i < TOKENS_OF_STORE; i++) {
      tokens.make(region(NEAR)).get(60, TimeUnit.SECONDS); // those of the store have their rows
    }
  }

  @AfterEach
  void close() {
    store.close();
    other.close();
    services.close();
  }

  @Test
  void nothingOfAFencedOffProcessTakesEffect() throws Exception {
    put(store, NEAR, 1);
    put(store, FAR, 1);
    FencingTokens.Token token = tokens.make(region(NEAR)).get(60, TimeUnit.SECONDS).token();
    removeMemberRow();
    other.session().fenceOff(memberRow).get(30, TimeUnit.SECONDS);

    assertThat(send(token, NEAR, 2, 7)).as("one that was sent before").isEqualTo(Outcome.REFUSED);
    for (Key key : List.of(NEAR, FAR)) {
      Transaction late = store.begin();
      late.put(key, bytes(3));
      assertThatThrownBy(late.commit()::join).hasRootCauseInstanceOf(FencedOffException.class);
      assertThat(other.get(key)).containsExactly(1);
    }
    assertThatThrownBy(() -> tokens.make(region(FAR)).get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(StoreException.class);
  }

  /** Both rows are locked when the owner stands still. */
  @Test
  void aProcessFencedOffInTheMiddleOfACommitDoesNotFinishIt() throws Exception {
    put(store, NEAR, 1);
    put(store, FAR, 1);
    services.table().regions().assignments().bind();
    services.table().regions().assignments().connect(Stores.ALONE);
    RowPlan near = new RowPlan(NEAR);
    near.put(bytes(2));
    near.learn(services.table().read(near.row()));
    RowPlan far = new RowPlan(FAR);
    far.put(bytes(2));
    far.learn(services.table().read(far.row()));
    TwoPhaseCommit commit =
        new TwoPhaseCommit(
            services.table(), services.locks(), services.memberCheck(), random, List.of(near, far));
    assertThat(commit.prepareAll()).isTrue();
    removeMemberRow();
    other.session().fenceOff(memberRow).get(30, TimeUnit.SECONDS);
    assertThatThrownBy(commit::commit).isInstanceOf(StoreException.class);
    assertThat(other.get(NEAR)).containsExactly(1);
    assertThat(other.get(FAR)).containsExactly(1);
    put(other, NEAR, 3);
    put(other, FAR, 3);
  }

  @Test
  void aLivingProcessIsNotFencedOff() {
    put(store, NEAR, 1);
    assertThatThrownBy(other.session().fenceOff(memberRow)::join)
        .hasRootCauseInstanceOf(StoreException.class);
    put(store, NEAR, 2);
    assertThat(other.get(NEAR)).containsExactly(2);
  }

  @Test
  void aTokenIsReusedWithoutARequest() {
    put(store, key(10), 1);
    long before = store.requests();
    for (int i = 11; i < 20; i++) {
      put(store, key(i), 1);
    }
    assertThat(store.requests() - before).isEqualTo(9);
  }

  @Test
  void aTokenTellsWhetherARequestWasApplied() throws Exception {
    FencingTokens.Token token = tokens.make(region(NEAR)).get(60, TimeUnit.SECONDS).token();
    assertThat(send(token, NEAR, 1, 7)).isEqualTo(Outcome.APPLIED);
    assertThat(services.memberCheck().wasApplied(tokens.new Lost(token, 7, null))).isTrue();
  }

  /** The result may be there only after all tokens are revoked: a read waits for that. */
  @Test
  void aTokenIsRevokedWhileSomebodyWaitsForTheResultOfItsRequest() throws Exception {
    FencingTokens.Token token = tokens.make(region(NEAR)).get(60, TimeUnit.SECONDS).token();
    FencingTokens.Lost lost = tokens.new Lost(token, 7, null);
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch revoked = new CountDownLatch(1);
    CompletableFuture<Boolean> result =
        CompletableFuture.supplyAsync(
            () ->
                lost.wasApplied(
                    () -> {
                      waits.countDown();
                      await(revoked);
                    }));
    await(waits);
    CompletableFuture.runAsync(lost::revoke).get(60, TimeUnit.SECONDS);
    revoked.countDown();
    assertThat(result.get(60, TimeUnit.SECONDS)).isFalse();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Whoever fences off removes what tells of it. */
  @Test
  void aFencedOffProcessDoesNotReportItsRequestAsNotApplied() throws Exception {
    FencingTokens.Token token = tokens.make(region(NEAR)).get(60, TimeUnit.SECONDS).token();
    assertThat(send(token, NEAR, 1, 7)).isEqualTo(Outcome.APPLIED);
    removeMemberRow();
    other.session().fenceOff(memberRow).get(30, TimeUnit.SECONDS);
    assertThatThrownBy(() -> services.memberCheck().wasApplied(tokens.new Lost(token, 7, null)))
        .isInstanceOf(FencedOffException.class);
  }

  /** Nothing was sent then, so it is tried again. */
  @Test
  void aTokenIsNotUsedWhileMembershipIsUnknown() throws Exception {
    RegionRequest request = new RegionRequest(random);
    request.putCell(RowKeys.of(FAR), new RowCell.Value(7, bytes(1)).encode());
    try (HBaseServices halfAway = new HBaseServices(options, withoutReads())) {
      halfAway.membership().bind(memberRow);
      halfAway.table().regions().assignments().bind();
      halfAway.table().regions().assignments().connect(Stores.ALONE);
      assertThat(halfAway.table().send(region(FAR), request).get(60, TimeUnit.SECONDS))
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
  void aRequestThatArrivesAfterItsTokenWasRevokedIsRefused() throws Exception {
    FencingTokens.Token token = tokens.make(region(NEAR)).get(60, TimeUnit.SECONDS).token();
    assertThat(services.memberCheck().wasApplied(tokens.new Lost(token, 7, null))).isFalse();
    put(other, NEAR, 1);
    remove(other, NEAR);
    assertThat(send(token, NEAR, 2, 7)).isEqualTo(Outcome.REFUSED);
    assertThat(other.get(NEAR)).isNull();
    assertThat(store.session().settle()).isCompleted();
  }

  @Test
  void aDividedRegionTakesNewTokens() throws Exception {
    HBaseOptions divided = options.withTable("tokens_divided");
    try (HBaseStore one = Stores.openEmpty(divided, Set.of(TABLE), 1)) {
      final Key ownMemberRow = Stores.bind(one);
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
      remove(one, ownMemberRow);
      try (HBaseStore another = HBaseStore.open(divided)) {
        another.session().fenceOff(ownMemberRow).get(30, TimeUnit.SECONDS);
        assertThat(tokensLeft(divided)).isZero();
      }
    }
  }

  private int tokensLeft(HBaseOptions where) throws Exception {
    return connection
        .getTable(TableName.valueOf(where.table()))
        .scanAll(new Scan().addColumn(Columns.RECORDS, Columns.TOKEN))
        .get(60, TimeUnit.SECONDS)
        .size();
  }

  private void removeMemberRow() {
    remove(other, memberRow);
  }

  private HRegionLocation region(Key key) {
    return services.table().locateNow(RowKeys.of(key));
  }

  /** A row that is to be absent, or known to nobody. */
  private Outcome send(FencingTokens.Token token, Key key, int value, long number)
      throws Exception {
    RegionRequest request = new RegionRequest(random);
    request.putCell(RowKeys.of(key), new RowCell.Value(number, bytes(value)).encode());
    return tokens.send(region(key), request, token, number).get(60, TimeUnit.SECONDS);
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
