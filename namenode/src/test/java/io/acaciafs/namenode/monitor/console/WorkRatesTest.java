package io.acaciafs.namenode.monitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.monitor.SettableClock;
import io.acaciafs.namenode.monitor.console.WorkRates.Progress;
import org.junit.jupiter.api.Test;

class WorkRatesTest {
  private final SettableClock clock = new SettableClock();
  private final WorkRates rates = new WorkRates(clock::millis);

  @Test
  void theTimeLeftIsWhatTheRateSays() {
    assertThat(rates.progress("sweep", 1_000).leftMs()).isNegative();
    clock.advanceMs(10_000);
    Progress progress = rates.progress("sweep", 800);
    assertThat(progress.perSecond()).isEqualTo(20);
    assertThat(progress.leftMs()).isEqualTo(40_000);
    assertThat(progress.done()).isEqualTo(200);
    assertThat(progress.forMs()).isEqualTo(10_000);
  }

  @Test
  void aJobThatGrowsHasNoEnd() {
    rates.progress("repair", 10);
    clock.advanceMs(10_000);
    assertThat(rates.progress("repair", 30).leftMs()).isNegative();
  }

  @Test
  void onlyTheLastMinutesCount() {
    rates.progress("sweep", 10_000);
    for (int i = 1; i <= 60; i++) { // ten minutes without progress
      clock.advanceMs(10_000);
      rates.progress("sweep", 10_000);
    }
    clock.advanceMs(10_000);
    Progress progress = rates.progress("sweep", 7_000);
    assertThat(progress.perSecond()).isBetween(9.0, 11.0);
  }

  @Test
  void oneThatEndedBeginsAnew() {
    rates.progress("sweep", 100);
    clock.advanceMs(10_000);
    assertThat(rates.progress("sweep", 0).done()).isZero();
    clock.advanceMs(10_000);
    Progress progress = rates.progress("sweep", 50);
    assertThat(progress.done()).isZero();
    assertThat(progress.forMs()).isZero();
  }
}
