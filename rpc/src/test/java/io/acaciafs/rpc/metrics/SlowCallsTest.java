package io.acaciafs.rpc.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which calls are slow. */
class SlowCallsTest {
  private final SlowCalls calls = new SlowCalls(5, new RpcMetrics(() -> 0));

  @Test
  void noCallIsSlowUntilEnoughAreKnown() {
    usual(1000);
    assertThat(calls.isSlow(ms(1000))).isFalse();
  }

  @Test
  void aCallFarAboveTheMeanIsSlow() {
    usual(2000);
    assertThat(calls.isSlow(ms(100))).isTrue();
    assertThat(calls.isSlow(ms(1))).isFalse();
  }

  @Test
  void aCallBelowTheThresholdIsNotSlow() {
    usual(2000);
    assertThat(calls.isSlow(ms(4))).isFalse();
  }

  @Test
  void aCallWithinThreeStandardDeviationsIsNotSlow() {
    for (int i = 0; i < 2000; i++) {
      calls.isSlow(ms(i % 2 == 0 ? 1 : 100));
    }
    assertThat(calls.isSlow(ms(120))).isFalse();
  }

  private void usual(int count) {
    for (int i = 0; i < count; i++) {
      calls.isSlow(ms(1));
    }
  }

  private static long ms(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }
}
