package io.acaciafs.bench.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.bench.scale.ScalePoint;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObserverReadsTest {

  private static ScalePoint point(int servers, double perSecond, double clientCores) {
    return new ScalePoint(
        servers,
        "stat",
        perSecond,
        new ScalePoint.Processors(0.95, clientCores, 0.7, 2, 0),
        1,
        List.of());
  }

  @Test
  void mediansOfRoundsAreCompared() {
    assertThat(
            ObserverReads.cells(
                List.of(point(1, 90_000, 0.1), point(1, 100_000, 0.1), point(1, 130_000, 0.1)),
                List.of(point(3, 280_000, 0.4), point(3, 200_000, 0.4), point(3, 290_000, 0.4))))
        .isEqualTo("100,000 | 280,000 | 2.8 | the servers");
  }

  @Test
  void anotherLimitThanTheServersIsSaid() {
    assertThat(
            ObserverReads.cells(List.of(point(1, 100_000, 0.1)), List.of(point(3, 200_000, 0.9))))
        .isEqualTo("100,000 | 200,000 | 2.0 | the servers, the client");
  }
}
