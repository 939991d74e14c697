package io.acaciafs.kv.hbase.local;

import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;

/** Asks an HBase whether it is up. Used by one thread. */
public final class ClusterProbe implements AutoCloseable {
  private static final long PATIENCE_MS = 5_000;

  private final Configuration conf;
  private @Nullable AsyncConnection connection;
  private @Nullable Exception lastFailure;

  /**
   * @param zooKeeper host:port, or several with commas
   */
  public ClusterProbe(String zooKeeper) {
    conf = ClientSettings.of(zooKeeper);
    conf.setInt("zookeeper.recovery.retry", 0);
    conf.setInt("hbase.client.retries.number", 1);
    conf.setInt("hbase.rpc.timeout", 2_000);
    conf.setInt("hbase.client.operation.timeout", 2_000);
  }

  /** Whether so many region servers live, the master has begun, and the catalogue is served. */
  public boolean serves(int servers) throws InterruptedException {
    try {
      if (connection == null) {
        connection = await(ConnectionFactory.createAsyncConnection(conf));
      }
      ClusterMetrics metrics =
          await(
              connection
                  .getAdmin()
                  .getClusterMetrics(
                      EnumSet.of(
                          ClusterMetrics.Option.LIVE_SERVERS, ClusterMetrics.Option.MASTER)));
      return metrics.getLiveServerMetrics().size() >= servers
          && await(connection.getAdmin().listTableNames()) != null
          && await(connection.getAdmin().listNamespaces()).contains("default");
    } catch (ExecutionException | TimeoutException e) {
      lastFailure = e; // not yet
      return false;
    }
  }

  /** Why it was not up when asked last; null when it never was asked or was up. */
  public @Nullable Exception lastFailure() {
    return lastFailure;
  }

  private static <T> T await(Future<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() throws IOException {
    if (connection != null) {
      connection.close();
    }
  }
}
