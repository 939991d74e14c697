package io.acaciafs.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScalePlanTest {

  @Test
  void oneServerIsMeasuredBesideEachOtherNumber() {
    ScalePlan plan = plan(8, 1, 1, 2, 8);
    assertThat(plan.measuredAt(1)).isEmpty();
    assertThat(plan.measuredAt(2)).containsExactly(1, 2);
    assertThat(plan.measuredAt(8)).containsExactly(1, 8);
  }

  @Test
  void whereOneNameNodeServesAllEachNumberIsMeasuredWhenTheTableIsCutForIt() {
    ScalePlan plan = plan(1, 1, 1, 2);
    assertThat(plan.measuredAt(1)).containsExactly(1);
    assertThat(plan.measuredAt(2)).containsExactly(2);
  }

  @Test
  void oneNumberIsMeasuredByItself() {
    assertThat(plan(8, 1, 1).measuredAt(1)).containsExactly(1);
    assertThat(plan(8, 1, 8).measuredAt(8)).containsExactly(8);
  }

  @Test
  void readsHaveRoundsOfTheirOwnWhereNumbersTakeTurns() {
    ScalePlan plan = plan(8, 1, 1, 2, 8);
    assertThat(plan.rounds(Operation.STAT, plan.measuredAt(8))).isEqualTo(3);
    assertThat(plan.rounds(Operation.STAT, List.of(2))).isEqualTo(1);
    assertThat(plan.rounds(Operation.CREATE, plan.measuredAt(8))).isEqualTo(1);
  }

  static ScalePlan plan(int nameNodes, int rounds, Integer... servers) {
    return new ScalePlan(
        "giraffa",
        new ScalePlan.Site(List.of(servers), nameNodes, 10, "spread"),
        new ScalePlan.Load(List.of(Operation.STAT), new Shape(1, 1), new Sizes(1, 1, 1, 1, 1)),
        new ScalePlan.Times(Duration.ZERO, Duration.ZERO, Duration.ZERO),
        new ScalePlan.Rounds(rounds, 3));
  }
}
