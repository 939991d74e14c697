package io.acaciafs.kv.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionOfflineException;
import org.junit.jupiter.api.Test;

/** Where a region is, when none of HBase's servers has it for a moment. */
class RegionLocatorTest {
  private static final byte[] ROW = {1};

  private final AtomicInteger questions = new AtomicInteger();
  private final HRegionLocation place =
      new HRegionLocation(
          RegionInfoBuilder.newBuilder(TableName.valueOf("rows")).build(),
          ServerName.valueOf("127.0.0.1", 1, 1));

  @Test
  void aRegionBetweenTwoServersIsWaitedFor() throws Exception {
    for (IOException failure :
        List.of(
            new RegionOfflineException("No server address listed"),
            new HBaseIOException("No location found"),
            new IOException("Unable to find region"))) {
      questions.set(0);
      try (ClusterClient client = client(3, failure, 30_000)) {
        assertThat(new RegionLocator(client).locateNow(ROW)).isEqualTo(place);
        assertThat(questions).hasValue(4);
      }
    }
  }

  @Test
  void notForLongerThanAnOperationMayTake() throws Exception {
    try (ClusterClient client =
        client(Integer.MAX_VALUE, new RegionOfflineException("No server address listed"), 50)) {
      assertThatThrownBy(() -> new RegionLocator(client).relocate(ROW))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("No server address listed");
    }
  }

  @Test
  void whatCannotComeIsNotWaitedFor() throws Exception {
    try (ClusterClient client = client(1, new TableNotFoundException("rows"), 30_000)) {
      assertThatThrownBy(() -> new RegionLocator(client).locateNow(ROW))
          .hasMessageContaining("rows");
      assertThat(questions).hasValue(1);
    }
  }

  /** One that finds the region after so many failures. */
  private ClusterClient client(int failures, IOException failure, int operationMs)
      throws IOException {
    AsyncTableRegionLocator locator =
        proxy(
            AsyncTableRegionLocator.class,
            method ->
                questions.incrementAndGet() <= failures
                    ? CompletableFuture.failedFuture(failure)
                    : CompletableFuture.completedFuture(place));
    AsyncConnection connection =
        proxy(
            AsyncConnection.class,
            method ->
                switch (method) {
                  case "getRegionLocator" -> locator;
                  case "getConfiguration" -> HBaseConfiguration.create();
                  case "isClosed" -> false;
                  default -> null;
                });
    HBaseOptions options =
        HBaseOptions.of("localhost:1").withTimeouts(1_000, operationMs, 1_000, 1_000);
    return new ClusterClient(options, connection);
  }

  /** Answers a method by its name. */
  private interface Answer {
    Object to(String method);
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.to(method.getName())));
  }
}
