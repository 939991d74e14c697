package io.acaciafs.kv.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.engine.ReplicaStatus.LeaderChange;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeaderHistoryTest {
  private static final long MS = 1_000_000;
  private static final long DATE = 1_800_000_000_000L;
  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 300 * MS);
  private final LeaderHistory history =
      new LeaderHistory(
          "nn2", 500, nowNs::get, Clock.fixed(Instant.ofEpochMilli(DATE), ZoneOffset.UTC));

  private void pass(long ms) {
    nowNs.addAndGet(ms * MS);
  }

  private LeaderChange last() {
    return history.read(false).last();
  }

  private static LeaderChange change(String from, String to, String why) {
    return new LeaderChange(DATE, from, to, why);
  }

  @Test
  void aMemberThatJoinsAGroupHasSeenNoChange() {
    pass(2_000);
    assertThat(history.read(false).silentMs()).isEqualTo(2_000);
    history.leaderIs("nn1", 7);
    pass(100);
    assertThat(history.read(false).silentMs()).isEqualTo(100);
    assertThat(history.read(false).changes()).isZero();
    assertThat(last()).isNull();
  }

  @Test
  void theFirstElectionIsNoChangeEither() {
    history.leaderIs("nn2", 1);
    assertThat(last()).isEqualTo(change("", "nn2", "first election since nn2 started"));
    assertThat(history.read(true).changes()).isZero();
    pass(50);
    assertThat(history.read(true).silentMs()).isZero();
    assertThat(history.read(false).silentMs()).isEqualTo(50);
  }

  @Test
  void aLeaderThatIsNotHeardIsReplaced() {
    history.leaderIs("nn1", 1);
    pass(5_000);
    history.heard("nn1", 200);
    pass(400);
    history.heard("nn1", 600);
    pass(150);
    assertThat(history.read(false).silentMs()).isEqualTo(750);
    history.leaderIs("nn3", 2);
    assertThat(last()).isEqualTo(change("nn1", "nn3", "nn1 was not heard for 750 ms"));
    assertThat(history.read(false).changes()).isEqualTo(1);
  }

  /** No member stands by itself while it hears the leader. */
  @Test
  void aMemberThatIsElectedWhileItHearsTheLeaderWasAskedToStand() {
    history.leaderIs("nn1", 1);
    pass(5_000);
    history.heard("nn1", 100);
    pass(200);
    history.leaderIs("nn2", 2);
    assertThat(last()).isEqualTo(change("nn1", "nn2", "nn1 handed over"));
  }

  @Test
  void anElectionMayTakeLonger() {
    history.leaderIs("nn1", 1);
    pass(5_000);
    history.heard("nn1", 100);
    pass(250);
    history.lost(50);
    pass(700);
    history.lost(0);
    assertThat(history.read(false).silentMs()).isEqualTo(1_050);
    history.leaderIs("nn2", 2);
    assertThat(last()).isEqualTo(change("nn1", "nn2", "nn1 handed over"));
    pass(600);
    history.lost(0);
    history.leaderIs("nn1", 3);
    pass(600);
    history.leaderIs("nn3", 4);
    assertThat(last()).isEqualTo(change("nn1", "nn3", "nn1 was not heard for 600 ms"));
  }

  @Test
  void anotherMemberKnowsNoReasonThen() {
    history.leaderIs("nn1", 1);
    pass(499);
    history.leaderIs("nn3", 2);
    assertThat(last()).isEqualTo(change("nn1", "nn3", ""));
  }

  @Test
  void aLeaderKnowsWhyItHandedOver() {
    history.leaderIs("nn2", 1);
    pass(5_000);
    history.handsOver("an administrator had nn2 hand over");
    pass(900);
    history.leaderIs("nn3", 2);
    assertThat(last()).isEqualTo(change("nn2", "nn3", "an administrator had nn2 hand over"));
    history.leaderIs("nn2", 3);
    history.leaderIs("nn1", 4);
    assertThat(last()).isEqualTo(change("nn2", "nn1", ""));
    assertThat(history.read(false).changes()).isEqualTo(3);
  }

  @Test
  void theSameLeaderInALaterTermIsAChangeAndInTheSameTermIsNone() {
    history.leaderIs("nn1", 1);
    pass(3_000);
    history.leaderIs("nn1", 1);
    assertThat(history.read(false).changes()).isZero();
    assertThat(history.read(false).silentMs()).isZero();
    pass(800);
    history.leaderIs("nn1", 2);
    assertThat(history.read(false).changes()).isEqualTo(1);
    assertThat(last()).isEqualTo(change("nn1", "nn1", "nn1 was not heard for 800 ms"));
  }

  @Test
  void whatIsHeardOfAnEarlierLeaderDoesNotCount() {
    history.leaderIs("nn1", 1);
    pass(100);
    history.leaderIs("nn3", 2);
    pass(700);
    history.heard("nn1", 0);
    assertThat(history.read(false).silentMs()).isEqualTo(700);
  }
}
