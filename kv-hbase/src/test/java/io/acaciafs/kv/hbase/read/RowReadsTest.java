package io.acaciafs.kv.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.HBaseServices;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.Stores;
import io.acaciafs.kv.hbase.TestHBase;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.schema.RowKeys;
import io.acaciafs.kv.hbase.schema.RowState;
import java.lang.reflect.Proxy;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AsyncConnection;
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
    options = Stores.options(hbase).withTable("reads");
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

  /** The row of the other region is answered by the first request; the others are looked for. */
  @Test
  void aRegionThatWasCutIsLookedFor() throws Exception {
    long requests =
        requestsToReadAll(
            location ->
                location.getRegion().getStartKey().length > 0
                    ? location
                    : new HRegionLocation(cut(location.getRegion()), location.getServerName()));
    assertThat(requests).isBetween(1L + 1, 1L + 2);
  }

  @Test
  void aServerThatIsGoneIsDoneWithout() throws Exception {
    assertThat(requestsToReadAll(location -> new HRegionLocation(location.getRegion(), GONE)))
        .isBetween(1L + 1, 1L + 3);
  }

  @Test
  void aMovingRegionIsLookedUpAgain() throws Exception {
    assertThat(requestsToReadAll(location -> new HRegionLocation(location.getRegion(), null)))
        .isBetween(1L, 3L);
  }

  /** HBase's client would go on telling where the region was. */
  @Test
  void aPlaceOlderThanWhatOthersToldIsLookedForAnew() throws Exception {
    AsyncConnection connection = connectionWith(location -> location);
    try (HBaseServices services = new HBaseServices(options, connection)) {
      HRegionLocation place = services.table().locateNow(RowKeys.of(LOW));
      String range =
          HexFormat.of().formatHex(place.getRegion().getStartKey())
              + ":"
              + HexFormat.of().formatHex(place.getRegion().getEndKey());
      assertThat(
              services
                  .table()
                  .regions()
                  .assignments()
                  .receive(range + ":" + (place.getSeqNum() + 1)))
          .isCompletedWithValue("");
      assertThat(services.table().regions().assignments().of(RowKeys.of(LOW))).isNull();
      CompletableFuture<RowState> read = services.table().readLater(RowKeys.of(LOW));
      assertThatThrownBy(() -> read.get(2, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
      assertThat(services.table().regions().assignments().receive(range + ":" + place.getSeqNum()))
          .isCompletedWithValue("0");
    }
  }

  /** A connection that gives out something else than it has. */
  private static AsyncConnection seen(AsyncConnection connection, UnaryOperator<Object> view) {
    return (AsyncConnection)
        Proxy.newProxyInstance(
            AsyncConnection.class.getClassLoader(),
            new Class<?>[] {AsyncConnection.class},
            (proxy, method, arguments) -> view.apply(method.invoke(connection, arguments)));
  }

  private long requestsToReadAll(UnaryOperator<HRegionLocation> view) throws Exception {
    try (HBaseServices services = new HBaseServices(options, connectionWith(view))) {
      for (Key key : List.of(LOW, HIGH)) {
        services.table().locateNow(RowKeys.of(key)); // so that it is known
      }
      long before = services.client().requests();
      List<RowState> rows =
          services.table().read(List.of(RowKeys.of(LOW), RowKeys.of(HIGH), RowKeys.of(ABSENT)));
      assertThat(rows.get(0).value()).containsExactly(1);
      assertThat(rows.get(1).value()).containsExactly(2);
      assertThat(rows.get(2).exists()).isFalse();
      return services.client().requests() - before;
    }
  }

  private static RegionInfo cut(RegionInfo region) {
    return RegionInfoBuilder.newBuilder(region.getTable())
        .setStartKey(region.getStartKey())
        .setEndKey(region.getEndKey())
        .setRegionId(region.getRegionId() - 1)
        .build();
  }

  /** A connection that believes rows elsewhere until it looks anew. */
  private AsyncConnection connectionWith(UnaryOperator<HRegionLocation> view) throws Exception {
    AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(Connections.configuration(options))
            .get(60, TimeUnit.SECONDS);
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
                    && Boolean.FALSE.equals(arguments[1])
                ? found.thenApply(location -> view.apply((HRegionLocation) location))
                : method.invoke(locator, arguments));
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
