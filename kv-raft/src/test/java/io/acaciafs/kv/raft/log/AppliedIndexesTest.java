package io.acaciafs.kv.raft.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AppliedIndexesTest {
  private final AppliedIndexes indexes = new AppliedIndexes(AppliedMark.NONE);

  private void apply(long from, long to) {
    for (long position = from; position <= to; position++) {
      indexes.applied(new AppliedMark(position, 1, 10 + position));
    }
  }

  @Test
  void releasesUpToWhatWasAsked() {
    apply(1, 100);
    assertThat(indexes.position()).isEqualTo(100);
    assertThat(indexes.release(AppliedIndexes.STEP - 1)).as("none of them is kept").isNull();
    AppliedMark mark = indexes.release(70);
    assertThat(mark.position()).isEqualTo(64).as("never more than what was asked");
    assertThat(mark.index()).isEqualTo(74);
    indexes.released(mark);
    assertThat(indexes.release(70)).as("nothing new").isNull();
    assertThat(indexes.released()).isEqualTo(mark);
  }

  @Test
  void releasesAllWhenFilesHoldAll() {
    apply(1, 5);
    AppliedMark all = indexes.release(5);
    assertThat(all).isEqualTo(new AppliedMark(5, 1, 15));
    indexes.released(all);
    assertThat(indexes.release(5)).isNull();
  }

  @Test
  void beginsAgainBehindACopy() {
    apply(1, 40);
    AppliedMark copied = new AppliedMark(1_000, 4, 2_000);
    indexes.restart(copied);
    assertThat(indexes.last()).isEqualTo(copied);
    assertThat(indexes.released()).isEqualTo(copied);
    assertThat(indexes.release(1_000)).isNull();
  }
}
