package io.acaciafs.rpc.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Durations are counted in buckets, each twice as long as the one before. */
class RpcMetricsTest {
  private final RpcMetrics metrics = new RpcMetrics(() -> 3);

  private RpcMetrics.MethodSnapshot snapshot() {
    return metrics.snapshot().methods().get("protocol.method");
  }

  @Test
  void durationIsCountedInTheFirstBucketWithABoundNotBelowIt() {
    for (long nanos : new long[] {0, 1, 8192, 8193, 16_384, 16_385, 1_000_000, Long.MAX_VALUE}) {
      int bucket = RpcMetrics.MethodCounters.bucket(nanos);
      assertThat(nanos / 1e9).isLessThanOrEqualTo(RpcMetrics.boundSeconds(bucket));
      if (bucket > 0) {
        assertThat(nanos / 1e9).isGreaterThan(RpcMetrics.boundSeconds(bucket - 1));
      }
    }
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
    assertThat(snapshot().byDuration().subList(0, 3)).containsExactly(2L, 0L, 1L);
    assertThat(metrics.snapshot().callsQueued()).isEqualTo(3);
  }

  @Test
  void methodWithoutCacheableRepliesHasNoCacheHits() {
    metrics.method("protocol", "method", false).answered(1, false);

    assertThat(snapshot().cached()).isZero();
  }
}
