package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.StoreMetric;
import io.acaciafs.rpc.limit.UserLoad;
import io.acaciafs.web.MetricSink;
import io.acaciafs.web.MetricSource;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;

/**
 * What {@code /metrics} tells of a NameNode; docs/monitoring.md lists the names. All of it is
 * counted anyway, or read from memory and one row on request.
 */
public final class NameNodeMetrics implements MetricSource {
  private static final double NANOS = 1e9;
  private static final int MOST_USERS = 20;

  private final Watched watched;
  private final StoreFigures figures;

  public NameNodeMetrics(Watched watched, StoreFigures figures) {
    this.watched = watched;
    this.figures = figures;
  }

  @Override
  public void tell(MetricSink sink) {
    new CallMetrics(watched.calls().metrics()).tell(sink);
    StoreFigures.Look look = figures.look();
    store(sink, watched.store().opened(), look);
    blocks(sink, look);
    users(sink);
    watched
        .calls()
        .queues()
        .forEach(
            (name, pool) -> {
              sink.gauge(
                  "acacia_queue_tasks",
                  "Tasks that wait for a thread",
                  pool.getQueue().size(),
                  "queue",
                  name);
              sink.gauge(
                  "acacia_queue_active",
                  "Threads that run a task",
                  pool.getActiveCount(),
                  "queue",
                  name);
            });
  }

  /** Those who cost most lately; there may be thousands. */
  private void users(MetricSink sink) {
    for (UserLoad load : watched.users().loads().get().stream().limit(MOST_USERS).toList()) {
      sink.counter(
          "acacia_user_cost_seconds",
          "Time of the threads that serve a user's calls",
          load.totalNanos() / NANOS,
          "user",
          load.user());
      sink.gauge(
          "acacia_user_isolated",
          "1 if separate threads serve the user, because the calls cost much",
          load.isolated() ? 1 : 0,
          "user",
          load.user());
    }
    sink.counter(
        "acacia_audit_dropped",
        "Audit events that found the queue full",
        watched.users().audit().dropped());
  }

  private static void tell(MetricSink sink, StoreMetric metric) {
    long value = metric.value().getAsLong();
    switch (metric.kind()) {
      case COUNTER -> sink.counter(metric.name(), metric.help(), value);
      case GAUGE -> sink.gauge(metric.name(), metric.help(), value);
    }
  }

  private void store(MetricSink sink, EngineStore store, StoreFigures.Look look) {
    sink.counter(
        "acacia_transaction_conflicts",
        "Attempts that met a conflict, and were made again",
        watched.store().runner().conflicts());
    sink.gauge(
        "acacia_store_writable",
        "1 as long as the store takes writes",
        store.writeFailure() == null ? 1 : 0);
    store.metrics().forEach(metric -> tell(sink, metric));
    for (String table : new String[] {"inodes", "blocks", "open_files", "jobs"}) {
      Long count = look.rows(table);
      if (count != null) {
        sink.gauge(
            "acacia_store_rows",
            "Rows of a table: counted where they are few, else about",
            count,
            "table",
            table);
      }
    }
  }

  private void blocks(MetricSink sink, StoreFigures.Look look) {
    ReplicatedBlockStats stats = look.blocks();
    Map<String, Long> backlog =
        Map.of(
            "highest_priority", stats.getHighestPriorityLowRedundancyBlocks(),
            "low_redundancy", stats.getLowRedundancyBlocks(),
            "badly_distributed", stats.getBadlyDistributedBlocks(),
            "missing", stats.getMissingReplicaBlocks(),
            "missing_replication_one", stats.getMissingReplicationOneBlocks(),
            "corrupt", stats.getCorruptBlocks());
    backlog.forEach(
        (state, count) ->
            sink.gauge(
                "acacia_blocks_degraded",
                "Blocks to be repaired, or beyond it; low_redundancy includes the first two others",
                count,
                "state",
                state));
    sink.gauge(
        "acacia_deletions_pending",
        "Replicas that DataNodes are to delete and have not",
        stats.getPendingDeletionBlocks());
    sink.gauge(
        "acacia_transfers_waiting",
        "Copies that DataNodes have not been told of yet",
        watched.blocks().waitingTransfers());
    sink.gauge("acacia_safe_mode", "1 in safe mode", watched.blocks().safeMode().isOn() ? 1 : 0);
    datanodes(sink, new DatanodeFigures(watched.blocks(), watched.elapsed().millis()));
  }

  private void datanodes(MetricSink sink, DatanodeFigures nodes) {
    Map<String, Number> states =
        Map.of(
            "live", nodes.liveCount(),
            "dead", nodes.deadCount(),
            "stale", watched.blocks().staleDatanodes(),
            "decommissioning", nodes.liveIn(AdminStates.DECOMMISSION_INPROGRESS),
            "decommissioned", nodes.liveIn(AdminStates.DECOMMISSIONED),
            "entering_maintenance", nodes.liveIn(AdminStates.ENTERING_MAINTENANCE),
            "in_maintenance", nodes.liveIn(AdminStates.IN_MAINTENANCE));
    states.forEach(
        (state, count) ->
            sink.gauge(
                "acacia_datanodes", "DataNodes by state", count.doubleValue(), "state", state));
    Map<String, Long> bytes =
        Map.of(
            "total", nodes.sum(DatanodeInfo::getCapacity),
            "used", nodes.sum(DatanodeInfo::getDfsUsed),
            "remaining", nodes.sum(DatanodeInfo::getRemaining),
            "non_dfs_used", nodes.sum(DatanodeInfo::getNonDfsUsed));
    bytes.forEach(
        (kind, sum) ->
            sink.gauge("acacia_capacity_bytes", "Space of live DataNodes", sum, "kind", kind));
    sink.gauge(
        "acacia_datanode_load",
        "Transfers of live DataNodes with anybody",
        nodes.sum(DatanodeInfo::getXceiverCount));
    sink.gauge("acacia_datanode_volumes_failed", "Volumes that do not work", nodes.failedVolumes());
  }
}
