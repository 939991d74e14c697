package io.acaciafs.namenode.monitor.history;

import io.acaciafs.rpc.metrics.DurationBuckets;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.metrics.RpcMetrics.MethodSnapshot;
import java.util.List;

/** The calls between two moments. For one thread. */
final class CallSample {
  private static final double MS = 1_000;

  private final float[] rates = new float[Series.values().length];
  private long[] byDuration = new long[0];

  /**
   * @param seconds between both
   */
  CallSample(RpcMetrics.Snapshot before, RpcMetrics.Snapshot now, double seconds) {
    now.methods()
        .forEach(
            (method, counted) -> {
              MethodSnapshot earlier = before.methods().get(method);
              long calls = counted.count() - (earlier == null ? 0 : earlier.count());
              rates[CallKind.of(method).ordinal()] += (float) (calls / seconds);
              if (calls > 0 && CallKind.isOfClients(method)) {
                add(counted.byDuration(), earlier == null ? List.of() : earlier.byDuration());
              }
            });
  }

  private void add(List<Long> now, List<Long> before) {
    if (byDuration.length == 0) {
      byDuration = new long[now.size()];
    }
    for (int i = 0; i < now.size(); i++) {
      byDuration[i] += now.get(i) - (before.isEmpty() ? 0 : before.get(i));
    }
  }

  /** Calls a second. */
  float rate(Series kind) {
    return rates[kind.ordinal()];
  }

  /**
   * How long this share of the clients' calls took at most, in milliseconds; NaN where there was
   * none. Between the bounds of a bucket this is an estimate.
   */
  float percentileMs(double share) {
    long all = 0;
    for (long count : byDuration) {
      all += count;
    }
    double wanted = share * all;
    double seen = 0;
    for (int i = 0; i < byDuration.length; i++) {
      if (byDuration[i] > 0 && seen + byDuration[i] >= wanted) {
        double from = i == 0 ? 0 : DurationBuckets.boundSeconds(i - 1);
        double to = i == byDuration.length - 1 ? from : DurationBuckets.boundSeconds(i);
        return (float) (MS * (from + (to - from) * (wanted - seen) / byDuration[i]));
      }
      seen += byDuration[i];
    }
    return Float.NaN;
  }
}
