package io.acaciafs.namenode.monitor;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.TransactionRunner;
import io.acaciafs.namenode.audit.AuditLog;
import io.acaciafs.namenode.audit.TopUsers;
import io.acaciafs.rpc.limit.UserLoad;
import io.acaciafs.rpc.metrics.RpcMetrics;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Supplier;

/**
 * The parts of a NameNode that are watched.
 *
 * @param address where calls come in
 * @param rpc what the RPC server has counted
 * @param userLoads what each user costs the RPC server
 * @param topUsers who has called how often lately
 * @param audit the audit log
 * @param queues pools of threads by name, for what waits in front of them
 * @param elapsed what DataNodes' signs of life are measured with
 * @param startedMs when the start began, milliseconds since 1970
 * @param openedMs how long it took to open the store
 * @param servesAfterMs how long after the start calls were served
 */
public record Watched(
    ClusterIdentity identity,
    WatchedStore store,
    TransactionRunner runner,
    BlockManager blocks,
    InetSocketAddress address,
    Supplier<RpcMetrics.Snapshot> rpc,
    Supplier<List<UserLoad>> userLoads,
    TopUsers topUsers,
    AuditLog audit,
    Map<String, ThreadPoolExecutor> queues,
    Clock elapsed,
    long startedMs,
    long openedMs,
    long servesAfterMs) {

  String hostAndPort() {
    return address.getHostString() + ":" + address.getPort();
  }
}
