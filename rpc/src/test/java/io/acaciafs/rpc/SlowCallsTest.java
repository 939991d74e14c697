package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which calls are slow. */
class SlowCallsTest {
  private final SlowCalls calls = new SlowCalls(5);

  @Test
  void theFirstCallsSayWhatIsUsual() {
    usual(1000);
    assertThat(calls.isSlow(ms(1000))).isFalse();
  }

  @Test
  void whatTakesMuchLongerThanUsualIsSlow() {
    usual(2000);
    assertThat(calls.isSlow(ms(100))).isTrue();
    assertThat(calls.isSlow(ms(1))).isFalse();
  }

  @Test
  void whatIsBelowTheThresholdIsNot() {
    usual(2000);
    assertThat(calls.isSlow(ms(4))).isFalse();
  }

  @Test
  void whatIsUsuallySlowIsNot() {
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
