package io.acaciafs.namenode.monitor.history;

import io.acaciafs.rpc.metrics.RpcMetrics;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Adds to the history what has happened since the last time. For one thread at a time. */
public final class Sampler implements Runnable {
  private static final double MEDIAN = 0.5;
  private static final double NEARLY_ALL = 0.99;
  private static final long MIB = 1 << 20;

  private final History history;
  private final Supplier<RpcMetrics.Snapshot> calls;
  private final Gauges gauges;
  private final LongSupplier nanoTime;
  private RpcMetrics.Snapshot before;
  private long beforeNs;

  public Sampler(
      History history, Supplier<RpcMetrics.Snapshot> calls, Gauges gauges, LongSupplier nanoTime) {
    this.history = history;
    this.calls = calls;
    this.gauges = gauges;
    this.nanoTime = nanoTime;
    this.before = calls.get();
    this.beforeNs = nanoTime.getAsLong();
  }

  @Override
  public void run() {
    RpcMetrics.Snapshot now = calls.get();
    long nowNs = nanoTime.getAsLong();
    double seconds = Math.max(1, nowNs - beforeNs) / (double) TimeUnit.SECONDS.toNanos(1);
    CallSample counted = new CallSample(before, now, seconds);
    before = now;
    beforeNs = nowNs;
    float[] sample = new float[Series.values().length];
    Arrays.fill(sample, Float.NaN);
    for (int kind = 0; kind <= Series.DATANODE.ordinal(); kind++) {
      sample[kind] = counted.rate(Series.values()[kind]);
    }
    sample[Series.P50_MS.ordinal()] = counted.percentileMs(MEDIAN);
    sample[Series.P99_MS.ordinal()] = counted.percentileMs(NEARLY_ALL);
    sample[Series.QUEUED.ordinal()] = now.callsQueued();
    Runtime runtime = Runtime.getRuntime();
    sample[Series.HEAP_MIB.ordinal()] =
        (runtime.totalMemory() - runtime.freeMemory()) / (float) MIB;
    gauges.read().forEach((series, value) -> sample[series.ordinal()] = value.floatValue());
    history.add(sample);
  }
}
