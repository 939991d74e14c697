package io.acaciafs.kv.hbase.local;

import io.acaciafs.kv.run.FailureText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
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
    return of(hbase.zooKeeper(), table);
  }

  /**
   * The same for any HBase.
   *
   * @param zooKeeper host:port, or several with commas
   */
  public static TablePieces of(String zooKeeper, String table) throws IOException {
    Configuration conf = ClientSettings.of(zooKeeper);
    AsyncConnection connection = await(ConnectionFactory.createAsyncConnection(conf));
    TablePieces pieces = new TablePieces(connection, table);
    await(pieces.admin.balancerSwitch(false, true));
    return pieces;
  }

  /** Cuts at these keys, where there is no cut yet: each region in the middle of its keys. */
  public void cut(List<byte[]> keys) throws IOException {
    Map<RegionInfo, List<byte[]>> left = uncut(keys);
    if (left.isEmpty()) {
      return;
    }
    long lastNs = System.nanoTime();
    while (!left.isEmpty()) {
      rewrite(); // a region that was cut lately cannot be cut again before
      List<Future<Void>> splits = new ArrayList<>();
      left.forEach(
          (region, within) ->
              splits.add(admin.splitRegion(region.getRegionName(), within.get(within.size() / 2))));
      for (Future<Void> split : splits) {
        try {
          await(split);
          lastNs = System.nanoTime();
        } catch (IOException e) {
          if (System.nanoTime() - lastNs > TimeUnit.SECONDS.toNanos(PATIENCE_S)) {
            throw e;
          }
          pause();
        }
      }
      left = uncut(keys);
    }
    rewrite(); // now, and not when something is measured
  }

  /** The keys that no region begins with, by the region that they lie in. */
  private Map<RegionInfo, List<byte[]>> uncut(List<byte[]> keys) throws IOException {
    Map<RegionInfo, List<byte[]>> uncut = new TreeMap<>(RegionInfo.COMPARATOR);
    List<RegionInfo> regions = regions();
    for (byte[] key : keys) {
      for (RegionInfo region : regions) {
        if (region.containsRow(key) && !Arrays.equals(region.getStartKey(), key)) {
          uncut.computeIfAbsent(region, none -> new ArrayList<>()).add(key);
        }
      }
    }
    return uncut;
  }

  private void rewrite() throws IOException {
    rewrite(List.of(this));
  }

  /** Has all that is in tables written to files, one for each region; in all tables at once. */
  public static void rewrite(List<TablePieces> tables) throws IOException {
    List<Future<Void>> begun = new ArrayList<>();
    for (TablePieces each : tables) {
      begun.add(
          each.admin.flush(each.table).thenCompose(flushed -> each.admin.majorCompact(each.table)));
    }
    for (Future<Void> compaction : begun) {
      await(compaction);
    }
    pause(); // until it can be seen
    for (TablePieces each : tables) {
      while (await(each.admin.getCompactionState(each.table)) != CompactionState.NONE) {
        pause();
      }
    }
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

  /** The port of the master that leads. */
  public int masterPort() throws IOException {
    return await(admin.getMaster()).getPort();
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

  private static <T> T await(Future<T> future) throws IOException {
    try {
      return future.get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException("HBase did not do it: " + FailureText.of(e), e.getCause());
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
