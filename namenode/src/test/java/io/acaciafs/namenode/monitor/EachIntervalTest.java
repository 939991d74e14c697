package io.acaciafs.namenode.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EachIntervalTest {
  private final SettableClock clock = new SettableClock();
  private final AtomicInteger made = new AtomicInteger();

  private EachInterval<Integer> taking(long ms) {
    return new EachInterval<>(
        1_000,
        () -> {
          clock.advanceMs(ms);
          return made.incrementAndGet();
        },
        () -> TimeUnit.MILLISECONDS.toNanos(clock.millis()));
  }

  @Test
  void isMadeOnceInAnInterval() {
    EachInterval<Integer> figure = taking(0);
    assertThat(figure.get()).isEqualTo(1);
    clock.advanceMs(999);
    assertThat(figure.get()).isEqualTo(1);
    clock.advanceMs(1);
    assertThat(figure.get()).isEqualTo(2);
  }

  @Test
  void whatTookLongerThanTheIntervalIsNotMadeAgainForEachThatWaited() {
    EachInterval<Integer> figure = taking(30_000);
    assertThat(figure.get()).isEqualTo(1);
    assertThat(figure.get()).isEqualTo(1);
    clock.advanceMs(1_000);
    assertThat(figure.get()).isEqualTo(2);
  }
}
