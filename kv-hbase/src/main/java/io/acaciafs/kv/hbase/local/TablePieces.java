package io.acaciafs.kv.hbase.local;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Cuts a table that is in use, and deals its regions out to servers, as an administrator would. For
 * benchmarks. Used by one thread.
 */
public final class TablePieces implements AutoCloseable {
  private static final long PATIENCE_S = 120;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final AsyncConnection connection;
  private final AsyncAdmin admin;
  private final TableName table;

  private TablePieces(AsyncConnection connection, String table) {
    this.connection = connection;
    this.admin = connection.getAdmin();
    this.table = TableName.valueOf(table);
  }

  /** Connects; from now on HBase moves no regions by itself. */
  public static TablePieces of(LocalHBase hbase, String table) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    String[] address = hbase.zooKeeper().split(":");
    conf.set("hbase.zookeeper.quorum", address[0]);
    conf.set("hbase.zookeeper.property.clientPort", address[1]);
    AsyncConnection connection = await(ConnectionFactory.createAsyncConnection(conf));
    TablePieces pieces = new TablePieces(connection, table);
    await(pieces.admin.balancerSwitch(false, true));
    return pieces;
  }

  /** Cuts at these keys, where there is no cut yet. */
  public void cut(List<byte[]> keys) throws IOException {
    boolean isCut = false;
    for (byte[] key : keys) {
      if (regions().stream().noneMatch(region -> Arrays.equals(region.getStartKey(), key))) {
        cut(key);
        isCut = true;
      }
    }
    if (isCut) {
      rewrite(); // now, and not when something is measured
    }
  }

  /** A region that was cut lately has to be rewritten before it can be cut again. */
  private void cut(byte[] key) throws IOException {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    IOException failure = null;
    while (System.nanoTime() - deadlineNs < 0) {
      rewrite();
      try {
        await(admin.splitRegion(regionOf(key).getRegionName(), key));
        return;
      } catch (IOException e) {
        failure = e;
        pause();
      }
    }
    throw failure;
  }

  /** Asked anew each time: where the connection thinks that a key lies may have been cut since. */
  private RegionInfo regionOf(byte[] key) throws IOException {
    for (RegionInfo region : regions()) {
      if (region.containsRow(key)) {
        return region;
      }
    }
    throw new IOException("No region has the key now");
  }

  /** Has all that is in the table written to files, one for each region. */
  public void rewrite() throws IOException {
    await(admin.flush(table));
    await(admin.majorCompact(table));
    do {
      pause();
    } while (await(admin.getCompactionState(table)) != CompactionState.NONE);
  }

  /**
   * Deals the regions out: of those that lie between two keys the first goes to the first server.
   *
   * @param ports of the servers that are to have some
   * @param begins where dealing begins anew
   */
  public void deal(List<Integer> ports, List<byte[]> begins) throws IOException {
    List<ServerName> servers = new ArrayList<>();
    for (int port : ports) {
      for (ServerName server : await(admin.getRegionServers())) {
        if (server.getPort() == port) {
          servers.add(server);
        }
      }
    }
    int next = 0;
    for (RegionInfo region : regions()) {
      if (begins.stream().anyMatch(begin -> Arrays.equals(begin, region.getStartKey()))) {
        next = 0;
      }
      await(admin.move(region.getRegionName(), servers.get(next++ % servers.size())));
    }
  }

  /** Has HBase balance its servers itself, once; whether it began to. */
  public boolean balance() throws IOException {
    await(admin.balancerSwitch(true, true));
    BalanceRequest request = BalanceRequest.newBuilder().setIgnoreRegionsInTransition(true).build();
    boolean isBegun = await(admin.balance(request)).isBalancerRan();
    await(admin.balancerSwitch(false, true));
    return isBegun;
  }

  private List<RegionInfo> regions() throws IOException {
    List<RegionInfo> regions = new ArrayList<>(await(admin.getRegions(table)));
    regions.sort(RegionInfo.COMPARATOR);
    return regions;
  }

  private static void pause() throws IOException {
    LockSupport.parkNanos(LOOK_NANOS);
    if (Thread.currentThread().isInterrupted()) {
      throw new IOException("Interrupted while HBase was at work");
    }
  }

  private static <T> T await(java.util.concurrent.Future<T> future) throws IOException {
    try {
      return future.get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException("HBase did not do it: " + e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("HBase did not do it in " + PATIENCE_S + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while HBase was at work", e);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
