package io.acaciafs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StationTest {
  @Test
  void oneProcessorWaitsAsTextbooksSay() {
    // M/M/1 with 50 a second of 10 ms: half wait, and the mean wait is 10 ms
    Station station = new Station(1, 50, 0.01, 2e-4);
    assertThat(station.utilisation()).isCloseTo(0.5, within(1e-12));
    assertThat(station.waits()).isCloseTo(0.5, within(1e-12));
    assertThat(station.meanWait()).isCloseTo(0.01, within(1e-12));
  }

  @Test
  void constantServicesWaitHalfAsLong() {
    assertThat(new Station(1, 50, 0.01, 1e-4).meanWait()).isCloseTo(0.005, within(1e-12));
  }

  @Test
  void twoProcessorsWaitAsErlangSays() {
    // with a load of 1 on two: C = 1/3
    assertThat(Station.erlangC(2, 1)).isCloseTo(1.0 / 3, within(1e-12));
    assertThat(new Station(2, 1, 1, 2).meanWait()).isCloseTo(1.0 / 3, within(1e-12));
  }

  @Test
  void tooMuchWaitsForEver() {
    assertThat(new Station(2, 300, 0.01, 2e-4).meanWait()).isInfinite();
  }
}
