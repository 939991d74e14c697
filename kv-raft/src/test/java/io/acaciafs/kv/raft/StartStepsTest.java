package io.acaciafs.kv.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.engine.ReplicaStart;
import io.acaciafs.kv.engine.ReplicaStart.Counted;
import io.acaciafs.kv.engine.ReplicaStart.Step;
import org.junit.jupiter.api.Test;

class StartStepsTest {
  private static final long MS = 1_000_000;

  private long nowNs;
  private final StartSteps steps = new StartSteps(() -> nowNs);

  @Test
  void readsItsLogThenAwaitsALeader() {
    nowNs = 5 * MS;
    assertThat(steps.reading())
        .isEqualTo(new ReplicaStart(Step.READS_LOG, Counted.NOTHING, Counted.NOTHING, 5, 5));
    assertThat(steps.takingPart(40, 100, true).step()).isEqualTo(Step.READS_LOG);
    assertThat(steps.takingPart(60, 100, true).log()).isEqualTo(new Counted(20, 60));
    nowNs = 8 * MS;
    assertThat(steps.takingPart(100, 100, false).step()).isEqualTo(Step.AWAITS_LEADER);
    nowNs = 9 * MS;
    assertThat(steps.takingPart(100, 100, true))
        .isEqualTo(new ReplicaStart(Step.DONE, new Counted(60, 60), Counted.NOTHING, 8, 9));
    nowNs = 20 * MS;
    assertThat(steps.takingPart(100, 200, false).step()).isEqualTo(Step.DONE);
    assertThat(steps.takingPart(100, 200, false).doneMs()).isEqualTo(9);
  }

  @Test
  void copiesTheStoreWheneverItMust() {
    steps.copies(10, 300);
    ReplicaStart now = steps.takingPart(7, 7, true);
    assertThat(now.step()).isEqualTo(Step.COPIES_STORE);
    assertThat(now.copy()).isEqualTo(new Counted(10, 300));
    steps.copiesNoMore();
    assertThat(steps.takingPart(7, 7, true).step()).isEqualTo(Step.DONE);
    steps.copies(0, 100);
    assertThat(steps.takingPart(7, 7, true).step()).isEqualTo(Step.COPIES_STORE);
  }

  @Test
  void anEmptyLogIsRead() {
    assertThat(steps.takingPart(-1, -1, false))
        .isEqualTo(new ReplicaStart(Step.AWAITS_LEADER, Counted.NOTHING, Counted.NOTHING, 0, 0));
  }
}
