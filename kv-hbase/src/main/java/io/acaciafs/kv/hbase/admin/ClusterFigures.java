package io.acaciafs.kv.hbase.admin;

import io.acaciafs.kv.engine.StoreCluster;
import io.acaciafs.kv.hbase.client.ClusterClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionStatesCount;

/** What HBase's master tells of its cluster, as far as it concerns the store's table. */
public final class ClusterFigures implements StoreCluster {
  private static final EnumSet<Option> OF_SERVERS =
      EnumSet.of(
          Option.HBASE_VERSION,
          Option.MASTER,
          Option.BACKUP_MASTERS,
          Option.SERVERS_NAME,
          Option.DEAD_SERVERS,
          Option.TABLE_TO_REGIONS_COUNT,
          Option.REGIONS_IN_TRANSITION);

  private final ClusterClient client;
  private final TableName table;
  private final RegionCoprocessors coprocessors;

  public ClusterFigures(ClusterClient client) {
    this.client = client;
    this.table = TableName.valueOf(client.options().table());
    this.coprocessors = new RegionCoprocessors(client);
  }

  @Override
  public State state() {
    ClusterMetrics metrics = ask(OF_SERVERS);
    RegionStatesCount regions = metrics.getTableRegionStatesCount().get(table);
    return new State(
        metrics.getHBaseVersion(),
        name(metrics.getMasterName()),
        names(metrics.getBackupMasterNames()),
        names(metrics.getServersName()),
        names(metrics.getDeadServerNames()),
        // those that were split wait for their removal
        regions == null ? 0 : regions.getTotalRegions() - regions.getSplitRegions(),
        regions == null ? 0 : regions.getOpenRegions(),
        metrics.getRegionStatesInTransition().stream()
            .filter(each -> each.getRegion().getTable().equals(table))
            .map(
                each ->
                    new Transition(each.getRegion().getEncodedName(), each.getState().toString()))
            .toList());
  }

  @Override
  public List<Load> loads() {
    List<Load> loads = new ArrayList<>();
    ask(EnumSet.of(Option.LIVE_SERVERS))
        .getLiveServerMetrics()
        .forEach((name, metrics) -> loads.add(load(name, metrics)));
    loads.sort(Comparator.comparing(Load::name));
    return loads;
  }

  private Load load(ServerName name, ServerMetrics metrics) {
    int regions = 0;
    long bytes = 0;
    for (Map.Entry<byte[], RegionMetrics> each : metrics.getRegionMetrics().entrySet()) {
      if (RegionInfo.getTable(each.getKey()).equals(table)) {
        regions++;
        bytes += bytes(each.getValue().getStoreFileSize());
      }
    }
    return new Load(
        name(name),
        regions,
        bytes,
        metrics.getRequestCountPerSecond(),
        bytes(metrics.getUsedHeapSize()),
        bytes(metrics.getMaxHeapSize()));
  }

  @Override
  public Optional<Coprocessor> coprocessor() {
    return client.coprocessor().isNamedByTable()
        ? Optional.of(coprocessors.look())
        : Optional.empty();
  }

  private ClusterMetrics ask(EnumSet<Option> options) {
    CompletableFuture<ClusterMetrics> answer =
        client
            .hastyAdmin()
            .getClusterMetrics(options)
            .orTimeout(ClusterClient.HASTY_MS, TimeUnit.MILLISECONDS);
    return client.await(answer, "tell of its servers");
  }

  private static long bytes(Size size) {
    return (long) size.get(Size.Unit.BYTE);
  }

  static String name(ServerName server) {
    return server.getAddress().toString();
  }

  private static List<String> names(Collection<ServerName> servers) {
    return servers.stream().map(ClusterFigures::name).distinct().sorted().toList();
  }
}
