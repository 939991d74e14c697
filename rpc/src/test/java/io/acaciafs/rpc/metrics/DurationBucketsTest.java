package io.acaciafs.rpc.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Durations are counted in buckets, of which four are a doubling. */
class DurationBucketsTest {
  @Test
  void durationIsCountedInTheFirstBucketWithABoundNotBelowIt() {
    for (long nanos :
        new long[] {
          -1,
          0,
          1,
          8192,
          8193,
          10_240,
          10_241,
          16_384,
          16_385,
          1_000_000,
          17_000_000_000L,
          Long.MAX_VALUE
        }) {
      int bucket = DurationBuckets.of(nanos);
      assertThat(nanos / 1e9).isLessThanOrEqualTo(DurationBuckets.boundSeconds(bucket));
      if (bucket > 0) {
        assertThat(nanos / 1e9).isGreaterThan(DurationBuckets.boundSeconds(bucket - 1));
      }
    }
  }

  @Test
  void boundsGrowByAQuarterAtMost() {
    assertThat(DurationBuckets.boundSeconds(0)).isEqualTo(8192e-9);
    for (int i = 1; i < DurationBuckets.COUNT - 1; i++) {
      assertThat(DurationBuckets.boundSeconds(i) / DurationBuckets.boundSeconds(i - 1))
          .as("bucket %d", i)
          .isGreaterThan(1.1)
          .isLessThanOrEqualTo(1.25);
    }
    assertThat(DurationBuckets.boundSeconds(DurationBuckets.PARTS)).isEqualTo(2 * 8192e-9);
    assertThat(DurationBuckets.boundSeconds(DurationBuckets.COUNT - 2)).isEqualTo((1L << 34) / 1e9);
    assertThat(DurationBuckets.boundSeconds(DurationBuckets.COUNT - 1)).isInfinite();
  }
}
