package io.acaciafs.rpc.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Calls are counted by duration, failure and cache. */
class RpcMetricsTest {
  private final RpcMetrics metrics = new RpcMetrics(() -> 3);

  private RpcMetrics.MethodSnapshot snapshot() {
    return metrics.snapshot().methods().get("protocol.method");
  }

  @Test
  void countsCallsFailuresAndCacheHits() {
    RpcMetrics.MethodCounters counters = metrics.method("protocol", "method", true);
    counters.missed();
    counters.answered(5_000, false);
    counters.answered(5_000, false);
    counters.answered(20_000, true);

    assertThat(snapshot().count()).isEqualTo(3);
    assertThat(snapshot().failures()).isEqualTo(1);
    assertThat(snapshot().cached()).isEqualTo(2);
    assertThat(snapshot().totalNanos()).isEqualTo(30_000);
    assertThat(snapshot().byDuration().get(DurationBuckets.of(5_000))).isEqualTo(2);
    assertThat(snapshot().byDuration().get(DurationBuckets.of(20_000))).isEqualTo(1);
    assertThat(metrics.snapshot().callsQueued()).isEqualTo(3);
  }

  @Test
  void methodWithoutCacheableRepliesHasNoCacheHits() {
    metrics.method("protocol", "method", false).answered(1, false);

    assertThat(snapshot().cached()).isZero();
  }
}
