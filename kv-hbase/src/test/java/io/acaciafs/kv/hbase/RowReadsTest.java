package io.acaciafs.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.local.LocalHBase;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Reads of rows that are not where they were. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class RowReadsTest {
  private static final Table TABLE = new Table("rows", 2);
  private static final Key LOW = key(1);
  private static final Key HIGH = key(0xF0);
  private static final Key ABSENT = key(0x10);

  /** Nobody listens there. */
  private static final ServerName GONE = ServerName.valueOf("127.0.0.1", 1, 1);

  private final HBaseOptions options;
  private HBaseStore store;

  RowReadsTest(LocalHBase hbase) {
    options = HBaseOptions.of(hbase.zooKeeper()).withTable("reads");
  }

  @BeforeEach
  void open() throws Exception {
    store = Stores.openEmpty(options, Set.of(TABLE), 2);
    put(LOW, 1);
    put(HIGH, 2);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void whereTheyAreTheyTakeOneRequest() throws Exception {
    assertThat(requestsToReadAll(location -> location)).isEqualTo(1);
  }

  /**
   * The row of the other region is answered by the first request; the others are asked for alone.
   */
  @Test
  void aRegionThatWasCutIsLookedFor() throws Exception {
    long requests =
        requestsToReadAll(
            location ->
                location.getRegion().getStartKey().length > 0
                    ? location
                    : new HRegionLocation(cut(location.getRegion()), location.getServerName()));
    assertThat(requests).isEqualTo(1 + 2);
  }

  @Test
  void aServerThatIsGoneIsDoneWithout() throws Exception {
    assertThat(requestsToReadAll(location -> new HRegionLocation(location.getRegion(), GONE)))
        .isEqualTo(1 + 3);
  }

  @Test
  void aRegionOnItsWayIsAskedFor() throws Exception {
    assertThat(requestsToReadAll(location -> new HRegionLocation(location.getRegion(), null)))
        .isEqualTo(1);
  }

  /** HBase's client asks the same server until somebody has it look where the region is. */
  @Test
  void aRegionThatTheClientDoesNotLookForIsLookedFor() throws Exception {
    CompletableFuture<Void> looked = new CompletableFuture<>();
    try (Cluster cluster = new Cluster(options, connectionThatWaitsFor(looked))) {
      assertThat(cluster.readLater(RowKeys.of(LOW)).get(20, TimeUnit.SECONDS).value())
          .containsExactly(1);
      assertThat(looked).isCompleted();
    }
  }

  private AsyncConnection connectionThatWaitsFor(CompletableFuture<Void> looked) throws Exception {
    AsyncConnection connection =
        connectionWith(location -> new HRegionLocation(location.getRegion(), GONE));
    return seen(
        connection,
        result -> {
          if (result instanceof AsyncTable<?> table) {
            return waiting(AsyncTable.class, table, "get", looked);
          }
          return result instanceof AsyncTableRegionLocator locator
              ? looking(locator, looked)
              : result;
        });
  }

  /** A connection that gives out something else than it has. */
  private static AsyncConnection seen(AsyncConnection connection, UnaryOperator<Object> view) {
    return (AsyncConnection)
        Proxy.newProxyInstance(
            AsyncConnection.class.getClassLoader(),
            new Class<?>[] {AsyncConnection.class},
            (proxy, method, arguments) -> view.apply(method.invoke(connection, arguments)));
  }

  private static Object waiting(
      Class<?> type, Object asked, String what, CompletableFuture<Void> until) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) ->
            method.getName().equals(what)
                ? until.thenCompose(
                    nothing -> {
                      try {
                        return (CompletableFuture<?>) method.invoke(asked, arguments);
                      } catch (ReflectiveOperationException e) {
                        return CompletableFuture.failedFuture(e);
                      }
                    })
                : method.invoke(asked, arguments));
  }

  private static Object looking(AsyncTableRegionLocator locator, CompletableFuture<Void> looked) {
    return Proxy.newProxyInstance(
        AsyncTableRegionLocator.class.getClassLoader(),
        new Class<?>[] {AsyncTableRegionLocator.class},
        (proxy, method, arguments) -> {
          if (arguments.length == 2 && Boolean.TRUE.equals(arguments[1])) {
            looked.complete(null);
          }
          return method.invoke(locator, arguments);
        });
  }

  private long requestsToReadAll(UnaryOperator<HRegionLocation> view) throws Exception {
    try (Cluster cluster = new Cluster(options, connectionWith(view))) {
      for (Key key : List.of(LOW, HIGH)) {
        cluster.locateNow(RowKeys.of(key)); // so that it is known
      }
      long before = cluster.requests();
      List<RowState> rows =
          cluster.read(List.of(RowKeys.of(LOW), RowKeys.of(HIGH), RowKeys.of(ABSENT)));
      assertThat(rows.get(0).value()).containsExactly(1);
      assertThat(rows.get(1).value()).containsExactly(2);
      assertThat(rows.get(2).exists()).isFalse();
      return cluster.requests() - before;
    }
  }

  private static RegionInfo cut(RegionInfo region) {
    return RegionInfoBuilder.newBuilder(region.getTable())
        .setStartKey(region.getStartKey())
        .setEndKey(region.getEndKey())
        .setRegionId(region.getRegionId() - 1)
        .build();
  }

  /** A connection that believes rows elsewhere, but reads them itself where they are. */
  private AsyncConnection connectionWith(UnaryOperator<HRegionLocation> view) throws Exception {
    AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(Connections.configuration(options))
            .get(20, TimeUnit.SECONDS);
    return seen(
        connection,
        result ->
            result instanceof AsyncTableRegionLocator locator
                ? locatorWith(locator, view)
                : result);
  }

  private static Object locatorWith(
      AsyncTableRegionLocator locator, UnaryOperator<HRegionLocation> view) {
    return Proxy.newProxyInstance(
        AsyncTableRegionLocator.class.getClassLoader(),
        new Class<?>[] {AsyncTableRegionLocator.class},
        (proxy, method, arguments) ->
            method.invoke(locator, arguments) instanceof CompletableFuture<?> found
                ? found.thenApply(location -> view.apply((HRegionLocation) location))
                : null);
  }

  private void put(Key key, int value) {
    Transaction transaction = store.begin();
    transaction.put(key, new byte[] {(byte) value});
    transaction.commit().join();
  }

  private static Key key(int partition) {
    return new Key(TABLE, new byte[] {(byte) partition, 0, 1});
  }
}
