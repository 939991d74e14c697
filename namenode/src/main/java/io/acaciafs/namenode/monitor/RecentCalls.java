package io.acaciafs.namenode.monitor;

import io.acaciafs.rpc.metrics.RpcMetrics;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Calls of the last ten seconds and more, for averages that follow what happens, as HDFS's do. Safe
 * for use by many threads.
 */
final class RecentCalls {
  static final long WINDOW_MS = 10_000;
  private static final double NANOS_PER_MS = 1e6;

  private record VersionedRow(RpcMetrics.Snapshot snapshot, long atMs) {}

  private final Supplier<RpcMetrics.Snapshot> rpc;
  private final Clock clock;
  private VersionedRow older;
  private VersionedRow newer;

  RecentCalls(Supplier<RpcMetrics.Snapshot> rpc, Clock clock) {
    this.rpc = rpc;
    this.clock = clock;
    this.older = look();
    this.newer = older;
  }

  private VersionedRow look() {
    return new VersionedRow(rpc.get(), clock.millis());
  }

  /** What was counted up to now, and what of it lately. */
  synchronized View view() {
    VersionedRow now = look();
    if (now.atMs - newer.atMs >= WINDOW_MS) {
      older = newer;
      newer = now;
    }
    return new View(now.snapshot, older.snapshot, Math.max(1, now.atMs - older.atMs));
  }

  /**
   * @param now everything since the start
   * @param before everything up to the begin of the window
   * @param windowMs its length
   */
  record View(RpcMetrics.Snapshot now, RpcMetrics.Snapshot before, long windowMs) {

    /** Milliseconds that a call took on average in the window; 0 where there was none. */
    double averageMs(String method) {
      RpcMetrics.MethodSnapshot last = Objects.requireNonNull(now.methods().get(method), method);
      RpcMetrics.MethodSnapshot first = before.methods().get(method);
      long calls = last.count() - (first == null ? 0 : first.count());
      long nanos = last.totalNanos() - (first == null ? 0 : first.totalNanos());
      return calls <= 0 ? 0 : nanos / NANOS_PER_MS / calls;
    }

    double averageMs() {
      long calls = count(now) - count(before);
      return calls <= 0 ? 0 : (nanos(now) - nanos(before)) / NANOS_PER_MS / calls;
    }

    double callsPerSecond() {
      return (count(now) - count(before)) * 1000.0 / windowMs;
    }

    long calls() {
      return count(now);
    }

    private static long count(RpcMetrics.Snapshot snapshot) {
      return snapshot.methods().values().stream().mapToLong(RpcMetrics.MethodSnapshot::count).sum();
    }

    private static long nanos(RpcMetrics.Snapshot snapshot) {
      return snapshot.methods().values().stream()
          .mapToLong(RpcMetrics.MethodSnapshot::totalNanos)
          .sum();
    }

    /** Calls of a method of ClientProtocol or DatanodeProtocol since the start. */
    long calls(Map<String, String> protocols, String... methods) {
      long sum = 0;
      for (String method : methods) {
        for (String protocol : protocols.values()) {
          RpcMetrics.MethodSnapshot counted = now.methods().get(protocol + "." + method);
          sum += counted == null ? 0 : counted.count();
        }
      }
      return sum;
    }
  }
}
