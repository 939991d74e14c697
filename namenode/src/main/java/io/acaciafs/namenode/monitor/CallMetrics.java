package io.acaciafs.namenode.monitor;

import io.acaciafs.rpc.metrics.DurationBuckets;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.web.MetricSink;
import io.acaciafs.web.MetricSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** What the RPC server counts, for {@code /metrics}: on a NameNode that leads, and on others. */
public final class CallMetrics implements MetricSource {
  private static final double NANOS = 1e9;

  private final Supplier<RpcMetrics.Snapshot> calls;

  public CallMetrics(Supplier<RpcMetrics.Snapshot> calls) {
    this.calls = calls;
  }

  @Override
  public void tell(MetricSink sink) {
    RpcMetrics.Snapshot rpc = calls.get();
    rpc.methods().forEach((name, counted) -> call(sink, name, counted));
    sink.gauge("acacia_rpc_connections", "Open connections", rpc.connections().open());
    sink.counter(
        "acacia_rpc_connections_opened",
        "Connections that were opened",
        rpc.connections().opened());
    sink.counter(
        "acacia_rpc_connections_refused",
        "Connections that the server closed: one too many, or for what they sent",
        rpc.connections().refused());
    sink.counter(
        "acacia_rpc_connections_moved",
        "Moves of connections to or from the threads for costly users",
        rpc.connections().moved());
    sink.counter(
        "acacia_rpc_rejected",
        "Calls that were told to come back, as too many waited",
        rpc.callsRejected());
    sink.gauge(
        "acacia_queue_tasks",
        "Tasks that wait for a thread",
        rpc.callsQueued(),
        "queue",
        "rpc-worker");
  }

  /** One bucket is a doubling, as each is a time series. */
  private static int bucket(int fine) {
    return (fine + DurationBuckets.PARTS - 1) / DurationBuckets.PARTS;
  }

  private static void call(MetricSink sink, String name, RpcMetrics.MethodSnapshot counted) {
    int dot = name.lastIndexOf('.');
    String protocol = name.substring(name.lastIndexOf('.', dot - 1) + 1, dot);
    String[] labels = {"protocol", protocol, "method", name.substring(dot + 1)};
    List<Long> fine = counted.byDuration();
    int buckets = bucket(fine.size() - 1) + 1;
    long[] counts = new long[buckets];
    for (int i = 0; i < fine.size(); i++) {
      counts[bucket(i)] += fine.get(i);
    }
    sink.histogram(
        "acacia_rpc_duration_seconds",
        "Time from dispatch to answer, waiting included",
        IntStream.range(0, buckets)
            .map(i -> Math.min(i * DurationBuckets.PARTS, fine.size() - 1))
            .mapToDouble(DurationBuckets::boundSeconds)
            .toArray(),
        counts,
        counted.totalNanos() / NANOS,
        labels);
    sink.counter(
        "acacia_rpc_failures",
        "Calls that were answered with an exception",
        counted.failures(),
        labels);
    if (counted.cached() > 0) {
      sink.counter(
          "acacia_reply_cache_hits",
          "Calls that were answered with a reply that had been given before",
          counted.cached(),
          labels);
    }
  }
}
