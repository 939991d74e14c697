package io.acaciafs.namenode.monitor;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.audit.AuditLog;
import io.acaciafs.namenode.audit.TopUsers;
import io.acaciafs.rpc.limit.UserLoad;
import io.acaciafs.rpc.metrics.RpcMetrics;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The parts of a NameNode that are watched.
 *
 * @param elapsed what DataNodes' signs of life are measured with
 */
public record Watched(
    ClusterIdentity identity,
    StoreParts store,
    BlockManager blocks,
    CallParts calls,
    UserParts users,
    StartTimes start,
    Clock elapsed) {

  /**
   * The store.
   *
   * @param engine the name of its engine
   * @param place where it is, for people
   * @param tables all that it has
   * @param opened the store itself
   * @param runner of its transactions
   */
  public record StoreParts(
      String engine,
      String place,
      Set<Table> tables,
      EngineStore opened,
      TransactionRunner runner) {
    /** What pages say of it in JSON. */
    void describe(Map<String, Object> body) {
      body.put("engine", engine);
      body.put("place", place);
      body.put("partitionsSpread", opened.traits().partitionsSpread());
      opened.roundTrips().ifPresent(count -> body.put("roundTrips", count));
    }
  }

  /**
   * What serves calls.
   *
   * @param address where calls come in
   * @param metrics what the RPC server has counted
   * @param queues pools of threads by name, for what waits in front of them
   */
  public record CallParts(
      InetSocketAddress address,
      Supplier<RpcMetrics.Snapshot> metrics,
      Map<String, ThreadPoolExecutor> queues) {
    /** Of {@link #address}. */
    public String hostAndPort() {
      return address.getHostString() + ":" + address.getPort();
    }
  }

  /**
   * What is known of users.
   *
   * @param loads what each user costs the RPC server
   * @param top which users have called how often lately
   * @param tokens how many delegation tokens they hold; reads the store
   */
  public record UserParts(
      Supplier<List<UserLoad>> loads, TopUsers top, AuditLog audit, LongSupplier tokens) {}

  /**
   * The start of the process.
   *
   * @param startedMs when it began, milliseconds since 1970
   * @param openedMs how long it took to open the store
   * @param servesAfterMs how long after the start calls were served
   */
  public record StartTimes(long startedMs, long openedMs, long servesAfterMs) {}
}
