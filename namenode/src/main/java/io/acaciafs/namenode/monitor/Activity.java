package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.engine.LogCounts;
import io.acaciafs.rpc.metrics.RpcMetrics;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the RPC server has counted, under the names of HDFS's NameNodeActivity, RpcActivity and
 * RpcDetailedActivity. Times are milliseconds. Safe for use by many threads.
 */
final class Activity {
  static final String CLIENT = "org.apache.hadoop.hdfs.protocol.ClientProtocol";
  private static final String DATANODE = "org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol";
  private static final Map<String, String> PROTOCOLS =
      Map.of("client", CLIENT, "datanode", DATANODE);

  private final Watched watched;
  private final RecentCalls recent;

  Activity(Watched watched, Clock clock) {
    this.watched = watched;
    this.recent = new RecentCalls(watched.calls().metrics(), clock);
  }

  /** Null where the engine does not sync a log of its own. */
  @Nullable Long syncs() {
    return watched.store().opened().logCounts().map(LogCounts::syncs).orElse(null);
  }

  Map<String, Object> nameNode() {
    RecentCalls.View calls = recent.view();
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("tag.ProcessName", "NameNode");
    bean.put("tag.Context", "dfs");
    put(bean, calls, "CreateFileOps", "create");
    put(bean, calls, "FilesAppended", "append");
    put(bean, calls, "GetBlockLocations", "getBlockLocations", "getLocatedFileInfo");
    put(bean, calls, "FilesRenamed", "rename", "rename2");
    put(bean, calls, "FilesTruncated", "truncate");
    put(bean, calls, "GetListingOps", "getListing", "getBatchedListing");
    put(bean, calls, "DeleteFileOps", "delete");
    put(bean, calls, "FileInfoOps", "getFileInfo", "getFileLinkInfo");
    put(bean, calls, "AddBlockOps", "addBlock");
    put(bean, calls, "GetAdditionalDatanodeOps", "getAdditionalDatanode");
    put(bean, calls, "CreateSymlinkOps", "createSymlink");
    put(bean, calls, "GetLinkTargetOps", "getLinkTarget");
    put(bean, calls, "BlockReceivedAndDeletedOps", "blockReceivedAndDeleted");
    bean.put(
        "TotalFileOps",
        bean.values().stream().filter(Long.class::isInstance).mapToLong(value -> (Long) value).sum()
            - (Long) Objects.requireNonNull(bean.get("BlockReceivedAndDeletedOps")));
    put(bean, calls, "AllowSnapshotOps", "allowSnapshot");
    put(bean, calls, "DisallowSnapshotOps", "disallowSnapshot");
    put(bean, calls, "CreateSnapshotOps", "createSnapshot");
    put(bean, calls, "DeleteSnapshotOps", "deleteSnapshot");
    put(bean, calls, "RenameSnapshotOps", "renameSnapshot");
    put(bean, calls, "ListSnapshottableDirOps", "getSnapshottableDirListing");
    put(bean, calls, "ListSnapshotOps", "getSnapshotListing");
    put(
        bean,
        calls,
        "SnapshotDiffReportOps",
        "getSnapshotDiffReport",
        "getSnapshotDiffReportListing");
    reports(bean, calls, "StorageBlockReport", DATANODE + ".blockReport");
    reports(bean, calls, "CacheReport", DATANODE + ".cacheReport");
    watched.store().opened().logCounts().ifPresent(log -> putLog(bean, log));
    return bean;
  }

  private static void putLog(Map<String, Object> bean, LogCounts log) {
    bean.put("SyncsNumOps", log.syncs());
    bean.put("TransactionsNumOps", log.commits());
    bean.put("TransactionsBatchedInSync", Math.max(0, log.commits() - log.syncs()));
  }

  private static void reports(
      Map<String, Object> bean, RecentCalls.View calls, String name, String method) {
    RpcMetrics.MethodSnapshot counted = calls.now().methods().get(method);
    bean.put(name + "NumOps", counted == null ? 0L : counted.count());
    bean.put(name + "AvgTime", counted == null ? 0d : calls.averageMs(method));
  }

  private static void put(
      Map<String, Object> bean, RecentCalls.View calls, String name, String... methods) {
    bean.put(name, calls.calls(PROTOCOLS, methods));
  }

  Map<String, Object> rpc() {
    RecentCalls.View calls = recent.view();
    RpcMetrics.Snapshot now = calls.now();
    long failures =
        now.methods().values().stream().mapToLong(RpcMetrics.MethodSnapshot::failures).sum();
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("tag.port", Integer.toString(watched.calls().address().getPort()));
    bean.put("tag.serverName", "ClientNamenodeProtocol");
    bean.put("tag.Context", "rpc");
    bean.put("RpcProcessingTimeNumOps", calls.calls());
    bean.put("RpcProcessingTimeAvgTime", calls.averageMs());
    bean.put("RpcCallSuccesses", calls.calls() - failures);
    bean.put("RpcClientBackoff", now.callsRejected());
    bean.put("RpcSlowCalls", now.slowCalls());
    bean.put("NumDroppedConnections", now.connections().refused());
    bean.put("NumOpenConnections", now.connections().open());
    bean.put("CallQueueLength", now.callsQueued());
    bean.put("TotalRequests", calls.calls());
    bean.put("TotalRequestsPerSecond", Math.round(calls.callsPerSecond()));
    return bean;
  }

  Map<String, Object> rpcDetailed() {
    RecentCalls.View calls = recent.view();
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("tag.port", Integer.toString(watched.calls().address().getPort()));
    bean.put("tag.Context", "rpcdetailed");
    calls
        .now()
        .methods()
        .forEach(
            (name, counted) -> {
              String method = capital(name.substring(name.lastIndexOf('.') + 1));
              bean.merge(
                  method + "NumOps", counted.count(), (one, other) -> (Long) one + (Long) other);
              bean.put(method + "AvgTime", calls.averageMs(name));
            });
    return bean;
  }

  private static String capital(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }
}
