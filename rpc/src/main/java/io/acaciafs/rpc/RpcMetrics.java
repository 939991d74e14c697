package io.acaciafs.rpc;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/**
 * What a server has done since its start. Written by its threads without locks; a snapshot is not
 * atomic over counters.
 */
public final class RpcMetrics {
  /** The first bucket ends at 2^13 ns, 8 microseconds; the last but one at 17 seconds. */
  private static final int SHORTEST_BITS = 13;

  private static final int BUCKETS = 23;

  private final Map<String, MethodCounters> methods = new ConcurrentHashMap<>();
  final LongAdder connectionsOpened = new LongAdder();
  final LongAdder connectionsClosed = new LongAdder();
  final LongAdder connectionsRefused = new LongAdder();
  final LongAdder connectionsMoved = new LongAdder();
  final LongAdder callsTurnedAway = new LongAdder();
  final LongAdder slowCalls = new LongAdder();
  final LongAdder pings = new LongAdder();

  private final IntSupplier callsQueued;

  /**
   * @param callsQueued how many wait for a worker now
   */
  RpcMetrics(IntSupplier callsQueued) {
    this.callsQueued = callsQueued;
  }

  /**
   * @param isReusable whether replies may be given again
   */
  MethodCounters method(String protocol, String method, boolean isReusable) {
    return methods.computeIfAbsent(protocol + "." + method, key -> new MethodCounters(isReusable));
  }

  public Snapshot snapshot() {
    Map<String, MethodSnapshot> calls = new TreeMap<>();
    methods.forEach(
        (name, counters) -> {
          MethodSnapshot method = counters.snapshot();
          if (method.count() > 0) {
            calls.put(name, method);
          }
        });
    long opened = connectionsOpened.sum();
    return new Snapshot(
        calls,
        opened,
        Math.max(0, opened - connectionsClosed.sum()),
        connectionsRefused.sum(),
        connectionsMoved.sum(),
        callsTurnedAway.sum(),
        slowCalls.sum(),
        pings.sum(),
        callsQueued.getAsInt());
  }

  /**
   * @param methods by "protocol.method", those that were called
   * @param connectionsOpened since the start
   * @param connectionsOpen now
   * @param connectionsRefused closed by the server: one too many, or for what they sent
   * @param connectionsMoved how often connections went to other network threads, as their user
   *     costs much or no more
   * @param callsTurnedAway told that the server is too busy
   * @param slowCalls that were logged as slow; 0 where nobody looks for them
   * @param pings signs of life from clients that wait for a reply
   * @param callsQueued that wait for a worker now
   */
  public record Snapshot(
      Map<String, MethodSnapshot> methods,
      long connectionsOpened,
      long connectionsOpen,
      long connectionsRefused,
      long connectionsMoved,
      long callsTurnedAway,
      long slowCalls,
      long pings,
      int callsQueued) {}

  /**
   * @param count calls that were answered
   * @param failures those of them that were answered with an exception
   * @param kept those of them whose reply was one that had been given before
   * @param totalNanos from dispatch to answer, waiting included, summed up
   * @param byDuration how many took so long, see {@link #boundSeconds}
   */
  public record MethodSnapshot(
      long count, long failures, long kept, long totalNanos, List<Long> byDuration) {}

  /**
   * Up to where a bucket of {@link MethodSnapshot#byDuration} goes, seconds; the last one has no
   * end.
   */
  public static double boundSeconds(int bucket) {
    return bucket == BUCKETS - 1 ? Double.POSITIVE_INFINITY : (1L << SHORTEST_BITS + bucket) / 1e9;
  }

  /** The counters of one method. */
  static final class MethodCounters {
    private final LongAdder[] durations = new LongAdder[BUCKETS];
    private final LongAdder notKept = new LongAdder();
    private final boolean isReusable;
    private final LongAdder failures = new LongAdder();
    private final LongAdder totalNanos = new LongAdder();

    MethodCounters(boolean isReusable) {
      this.isReusable = isReusable;
      Arrays.setAll(durations, i -> new LongAdder());
    }

    /** Costs what it costs to count: each bucket is the count of its part. */
    void answered(long nanos, boolean failed) {
      durations[bucket(nanos)].increment();
      totalNanos.add(nanos);
      if (failed) {
        failures.increment();
      }
    }

    /** A reply had to be made: counted here, as the other way is the one that must be fast. */
    void made() {
      notKept.increment();
    }

    /** Twice as long is one bucket more. */
    static int bucket(long nanos) {
      int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, nanos - 1));
      return Math.min(BUCKETS - 1, Math.max(0, bits - SHORTEST_BITS));
    }

    MethodSnapshot snapshot() {
      List<Long> byDuration = Arrays.stream(durations).map(LongAdder::sum).toList();
      long count = byDuration.stream().mapToLong(Long::longValue).sum();
      long kept = isReusable ? Math.max(0, count - notKept.sum()) : 0;
      return new MethodSnapshot(count, failures.sum(), kept, totalNanos.sum(), byDuration);
    }
  }
}
