package io.acaciafs.namenode.monitor.problems;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.engine.ReplicaStatus.Applied;
import io.acaciafs.kv.engine.ReplicaStatus.Follower;
import io.acaciafs.kv.engine.ReplicaStatus.Leaders;
import io.acaciafs.namenode.members.DepartedMember;
import io.acaciafs.namenode.members.Member;
import io.acaciafs.namenode.monitor.SettableClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ChecksTest {
  private final SettableClock clock = new SettableClock();
  private final SettableClock elapsed = new SettableClock();

  private static List<ProblemKind> kinds(ProblemCheck check) {
    List<Problem> found = new ArrayList<>();
    check.look(found::add);
    return found.stream().map(Problem::kind).toList();
  }

  @Test
  void aClockThatWasSetIsToldForAnHour() {
    ProblemCheck check = new ClockChecks(clock, elapsed);
    clock.advanceMs(10_000);
    elapsed.advanceMs(10_000);
    assertThat(kinds(check)).isEmpty();
    clock.advanceMs(-5_000);
    assertThat(kinds(check)).containsExactly(ProblemKind.CLOCK_SET);
    clock.advanceMs(ClockChecks.TOLD_MS - 1);
    elapsed.advanceMs(ClockChecks.TOLD_MS - 1);
    assertThat(kinds(check)).containsExactly(ProblemKind.CLOCK_SET);
    clock.advanceMs(1);
    elapsed.advanceMs(1);
    assertThat(kinds(check)).isEmpty();
  }

  @Test
  void aNameNodeThatEndedWithoutAWordIsTold() {
    List<DepartedMember> departed = new ArrayList<>();
    ProblemCheck check = new MemberChecks(() -> departed);
    assertThat(kinds(check)).isEmpty();
    departed.add(new DepartedMember(new Member(3, "nn3", 8020, 0, "secret"), 60_500));
    List<Problem> found = new ArrayList<>();
    check.look(found::add);
    assertThat(found)
        .containsExactly(
            new Problem(
                ProblemKind.NAMENODE_DEAD,
                "nn3:8020",
                "nn3:8020 has not renewed its lease since 1970-01-01T00:01:00Z; the others serve"
                    + " without it"));
  }

  @Test
  void refusedCallsAreToldUntilTheyRestForAMinute() {
    AtomicLong rejected = new AtomicLong(40);
    ProblemCheck check = new LoadChecks(rejected::get, () -> 0, Map.of(), elapsed::millis);
    assertThat(kinds(check)).isEmpty();
    rejected.addAndGet(3);
    assertThat(kinds(check)).containsExactly(ProblemKind.CALLS_REFUSED);
    elapsed.advanceMs(Growth.RECENT_MS);
    assertThat(kinds(check)).containsExactly(ProblemKind.CALLS_REFUSED);
    elapsed.advanceMs(1);
    assertThat(kinds(check)).isEmpty();
  }

  @Test
  void aQueueThatIsNearlyFullIsTold() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(10));
    ProblemCheck check =
        new LoadChecks(() -> 0, () -> 0, Map.of("long-operation", pool), elapsed::millis);
    try {
      for (int i = 0; i < 9; i++) { // one of which runs
        pool.execute(() -> awaitUninterruptibly(end));
      }
      assertThat(kinds(check)).isEmpty();
      pool.execute(() -> {});
      assertThat(kinds(check)).containsExactly(ProblemKind.QUEUE_NEARLY_FULL);
    } finally {
      end.countDown();
      pool.shutdown();
      assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ReplicaStatus led(String leader, long behind, Follower... followers) {
    return new ReplicaStatus(
        "nn1",
        leader.equals("nn1"),
        leader,
        3,
        new Applied(10, behind),
        new Leaders(0, 1, null),
        List.of(followers));
  }

  @Test
  void aGroupIsWellWhileAllHearEachOther() {
    assertThat(kinds(new ReplicationChecks(() -> led("nn2", 3)))).isEmpty();
    assertThat(kinds(new ReplicationChecks(() -> led("", 0))))
        .containsExactly(ProblemKind.NO_LEADER);
    assertThat(kinds(new ReplicationChecks(() -> led("nn2", 20_000))))
        .containsExactly(ProblemKind.FOLLOWER_BEHIND);
    assertThat(
            kinds(
                new ReplicationChecks(
                    () ->
                        led(
                            "nn1",
                            0,
                            new Follower("nn2", 0, 11_000),
                            new Follower("nn3", 20_000, 5)))))
        .containsExactly(ProblemKind.FOLLOWER_SILENT, ProblemKind.FOLLOWER_BEHIND);
  }
}
