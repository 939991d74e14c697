package io.acaciafs.rpc;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a server has done since its start. Written by its threads without locks; a snapshot is not
 * atomic over counters.
 */
public final class RpcMetrics {
  private final Map<String, MethodCounters> methods = new ConcurrentHashMap<>();
  final LongAdder connectionsOpened = new LongAdder();
  final LongAdder connectionsClosed = new LongAdder();
  final LongAdder connectionsRefused = new LongAdder();
  final LongAdder callsTurnedAway = new LongAdder();
  final LongAdder pings = new LongAdder();

  RpcMetrics() {}

  MethodCounters method(String protocol, String method) {
    return methods.computeIfAbsent(protocol + "." + method, key -> new MethodCounters());
  }

  public Snapshot snapshot() {
    Map<String, MethodSnapshot> calls = new TreeMap<>();
    methods.forEach(
        (name, counters) -> {
          long count = counters.count.sum();
          if (count > 0) {
            calls.put(
                name,
                new MethodSnapshot(count, counters.failures.sum(), counters.totalNanos.sum()));
          }
        });
    long opened = connectionsOpened.sum();
    return new Snapshot(
        calls,
        opened,
        Math.max(0, opened - connectionsClosed.sum()),
        connectionsRefused.sum(),
        callsTurnedAway.sum(),
        pings.sum());
  }

  /**
   * @param methods by "protocol.method", those that were called
   * @param connectionsOpened since the start
   * @param connectionsOpen now
   * @param connectionsRefused closed by the server: one too many, or for what they sent
   * @param callsTurnedAway told that the server is too busy
   * @param pings signs of life from clients that wait for a reply
   */
  public record Snapshot(
      Map<String, MethodSnapshot> methods,
      long connectionsOpened,
      long connectionsOpen,
      long connectionsRefused,
      long callsTurnedAway,
      long pings) {}

  /**
   * @param count calls that were answered
   * @param failures those of them that were answered with an exception
   * @param totalNanos from dispatch to answer, waiting included, summed up
   */
  public record MethodSnapshot(long count, long failures, long totalNanos) {}

  /** The counters of one method. */
  static final class MethodCounters {
    private final LongAdder count = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder totalNanos = new LongAdder();

    void answered(long nanos, boolean failed) {
      count.increment();
      totalNanos.add(nanos);
      if (failed) {
        failures.increment();
      }
    }
  }
}
