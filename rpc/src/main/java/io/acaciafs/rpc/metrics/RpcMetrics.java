package io.acaciafs.rpc.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/**
 * Counts what a server has done since its start. Its threads count without locks; a snapshot is not
 * atomic over counters.
 */
public final class RpcMetrics {
  private final Map<String, MethodCounters> methods = new ConcurrentHashMap<>();
  private final LongAdder connectionsOpened = new LongAdder();
  private final LongAdder connectionsClosed = new LongAdder();
  private final LongAdder connectionsRefused = new LongAdder();
  private final LongAdder connectionsMoved = new LongAdder();
  private final LongAdder callsRejected = new LongAdder();
  private final LongAdder slowCalls = new LongAdder();
  private final LongAdder pings = new LongAdder();

  private final IntSupplier callsQueued;

  /**
   * @param callsQueued how many calls wait for a worker now
   */
  public RpcMetrics(IntSupplier callsQueued) {
    this.callsQueued = callsQueued;
  }

  public void connectionOpened() {
    connectionsOpened.increment();
  }

  public void connectionClosed() {
    connectionsClosed.increment();
  }

  public void connectionRefused() {
    connectionsRefused.increment();
  }

  public void connectionMoved() {
    connectionsMoved.increment();
  }

  public void callRejected() {
    callsRejected.increment();
  }

  void slowCall() {
    slowCalls.increment();
  }

  public void pinged() {
    pings.increment();
  }

  /**
   * The counters of a method; the same ones each time.
   *
   * @param isCacheable whether the method's replies may come from the reply cache
   */
  public MethodCounters method(String protocol, String method, boolean isCacheable) {
    return methods.computeIfAbsent(protocol + "." + method, key -> new MethodCounters(isCacheable));
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
        new Connections(
            opened,
            Math.max(0, opened - connectionsClosed.sum()),
            connectionsRefused.sum(),
            connectionsMoved.sum()),
        callsRejected.sum(),
        slowCalls.sum(),
        pings.sum(),
        callsQueued.getAsInt());
  }

  /**
   * @param methods by "protocol.method", those that were called
   * @param callsRejected calls that were answered "Server too busy"
   * @param slowCalls calls that were logged as slow; 0 if the log of slow calls is off
   * @param pings keepalive messages from clients that wait for a reply
   * @param callsQueued calls that wait for a worker now
   */
  public record Snapshot(
      Map<String, MethodSnapshot> methods,
      Connections connections,
      long callsRejected,
      long slowCalls,
      long pings,
      int callsQueued) {}

  /**
   * @param opened since the start
   * @param open now
   * @param refused connections that the server closed: above the limit, or because of what they
   *     sent
   * @param moved moves of connections between the threads for costly users and the others
   */
  public record Connections(long opened, long open, long refused, long moved) {}

  /**
   * @param count calls that were answered
   * @param failures those of them that were answered with an exception
   * @param cached those of them that were answered from the reply cache
   * @param totalNanos the sum of the times from dispatch to reply, waits included
   * @param byDuration calls by duration, see {@link DurationBuckets}
   */
  public record MethodSnapshot(
      long count, long failures, long cached, long totalNanos, List<Long> byDuration) {}

  /** The counters of one method. */
  public static final class MethodCounters {
    private final LongAdder[] durations = new LongAdder[DurationBuckets.COUNT];
    private final LongAdder cacheMisses = new LongAdder();
    private final boolean isCacheable;
    private final LongAdder failures = new LongAdder();
    private final LongAdder totalNanos = new LongAdder();

    MethodCounters(boolean isCacheable) {
      this.isCacheable = isCacheable;
      Arrays.setAll(durations, i -> new LongAdder());
    }

    /** Counts an answered call; the sum of the buckets is the number of calls. */
    public void answered(long nanos, boolean failed) {
      durations[DurationBuckets.of(nanos)].increment();
      totalNanos.add(nanos);
      if (failed) {
        failures.increment();
      }
    }

    /** Counts a cache miss; hits are not counted, so that they cost less. */
    public void missed() {
      cacheMisses.increment();
    }

    MethodSnapshot snapshot() {
      List<Long> byDuration = Arrays.stream(durations).map(LongAdder::sum).toList();
      long count = byDuration.stream().mapToLong(Long::longValue).sum();
      long cached = isCacheable ? Math.max(0, count - cacheMisses.sum()) : 0;
      return new MethodSnapshot(count, failures.sum(), cached, totalNanos.sum(), byDuration);
    }
  }
}
