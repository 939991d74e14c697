package io.acaciafs.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class SettlingTest {
  private int looks;

  /**
   * @param seconds of CPU so far, by looks
   */
  private double settle(IntToDoubleFunction seconds) throws IOException {
    return Settling.await(() -> seconds.applyAsDouble(looks), () -> looks++);
  }

  @Test
  void whoHasNothingToDoIsWaitedForAMoment() throws IOException {
    assertThat(settle(look -> 7 + 0.01 * look)).isCloseTo(0.05, within(1e-9));
    assertThat(looks).isEqualTo(Settling.QUIET_LOOKS);
  }

  @Test
  void whoBeginsAfterAMomentIsWaitedForToTheEnd() throws IOException {
    assertThat(settle(look -> Math.max(0, Math.min(look, 10) - 3) * 0.2))
        .isCloseTo(1.4, within(1e-9));
    assertThat(looks).isEqualTo(10 + Settling.QUIET_LOOKS);
  }

  @Test
  void whoDoesNotEndIsNotWaitedForForever() throws IOException {
    settle(look -> look);
    assertThat(looks).isEqualTo(Settling.MOST_LOOKS);
  }
}
