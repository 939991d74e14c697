package io.acaciafs.kv.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.commit.SharedRequest.Member;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Which commits of a region go together, and when. */
class RegionQueueTest {
  private static final Table TABLE = new Table("rows", 1);
  private static final int CALLERS = 16;
  private static final int LONGEST_PAUSE = 8;
  private static final int COMMITS = 10_000;

  private final RegionQueue queue = new RegionQueue();
  private int count;

  @Test
  void whereFewCommitEachGoesAtOnce() {
    add(1);
    SharedRequest first = next();
    add(1);
    SharedRequest second = next();
    assertThat(List.of(first.members().size(), second.members().size())).containsExactly(1, 1);
    assertThat(next()).as("nothing waits").isNull();
    queue.end(first, false);
    queue.end(second, false);
    assertThat(queue.isIdle()).isTrue();
  }

  @Test
  void aSmallRequestDoesNotGoBesideALargeOne() {
    add(8);
    SharedRequest large = next();
    add(7);
    assertThat(next()).isNull();
    add(1);
    assertThat(next().members()).as("as many as are under way").hasSize(8);
    add(64);
    assertThat(next()).as("two are enough").isNull();
    queue.end(large, false);
    assertThat(next().members()).hasSize(64);
  }

  @Test
  void whatWaitsGoesWhenNothingIsUnderWay() {
    add(8);
    SharedRequest large = next();
    add(1);
    queue.end(large, false);
    assertThat(next().members()).hasSize(1);
  }

  @Test
  void whatTakesLongIsNotWaitedFor() {
    add(8);
    SharedRequest large = next();
    add(1);
    assertThat(next()).isNull();
    queue.noteLate(large);
    SharedRequest small = next();
    assertThat(small.members()).hasSize(1);
    add(9);
    assertThat(next()).as("two are enough").isNull();
    queue.end(large, true);
    queue.end(small, false);
    assertThat(next().members()).hasSize(9);
  }

  @Test
  void toASlowServerGoesOneAtATime() {
    add(1);
    queue.end(next(), true);
    add(1);
    SharedRequest only = next();
    add(9);
    assertThat(next()).isNull();
    queue.noteLate(only);
    assertThat(next()).as("as it always does").isNull();
    queue.end(only, false);
    assertThat(next().members()).hasSize(9);
    add(9);
    assertThat(next().members()).as("it has become quick").hasSize(9);
  }

  @Test
  void repeatedCommitsGoFirstAndApartFromNewOnes() {
    add(2);
    SharedRequest refused = next();
    List<Member> again = refused.members().stream().map(Member::refused).toList();
    add(1);
    queue.addAgain(again);
    queue.end(refused, false);
    SharedRequest second = next();
    assertThat(second.members()).isEqualTo(again);
    queue.end(second, false);
    assertThat(next().members()).hasSize(1);
  }

  @Test
  void commitsThatComeBeforeThePermitShareTheFirstRequest() {
    add(1);
    assertThat(queue.requestsPermit()).isTrue();
    add(2);
    assertThat(queue.requestsPermit()).as("a turn is asked for already").isFalse();
    assertThat(queue.take().members()).hasSize(3);
  }

  /**
   * Callers come again a while after their commits have ended. A server takes one request after the
   * other: as much time as ten commits for each, and that of its commits.
   */
  @Test
  void whereManyCommitHalfOfThemGoTogether() {
    SplittableRandom random = new SplittableRandom(1);
    PriorityQueue<Integer> callers = new PriorityQueue<>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(random.nextInt(LONGEST_PAUSE));
    }
    Deque<Sent> inFlight = new ArrayDeque<>();
    int requests = 0;
    int serverIsFreeAt = 0;
    for (int now = 0; count < COMMITS; now++) {
      List<SharedRequest> next = new ArrayList<>();
      while (!inFlight.isEmpty() && inFlight.peek().endsAt <= now) {
        SharedRequest ended = inFlight.remove().group;
        for (int i = 0; i < ended.members().size(); i++) {
          callers.add(now + 1 + random.nextInt(LONGEST_PAUSE));
        }
        queue.end(ended, false);
        next.add(next());
      }
      while (!callers.isEmpty() && callers.peek() <= now) {
        callers.remove();
        add(1);
        next.add(next());
      }
      for (SharedRequest group : next) {
        if (group != null) {
          serverIsFreeAt = Math.max(serverIsFreeAt, now) + 10 + group.members().size();
          inFlight.add(new Sent(group, serverIsFreeAt));
          requests++;
        }
      }
    }
    assertThat((double) COMMITS / requests).as("commits a request").isGreaterThan(7);
  }

  /** Null for nothing. */
  private SharedRequest next() {
    return queue.requestsPermit() ? queue.take() : null;
  }

  private record Sent(SharedRequest group, int endsAt) {}

  private void add(int members) {
    for (int i = 0; i < members; i++) {
      byte[] row = {1, (byte) (count >> 8), (byte) count++};
      RowPlan entry = new RowPlan(new Key(TABLE, row));
      entry.put(new byte[] {1});
      RowPlan counters = new RowPlan(new Key(TABLE, new byte[] {0}));
      counters.accumulate(new Counters(new long[] {1}, new long[0]), 0, true);
      queue.add(new Member(List.of(entry, counters), 1));
    }
  }
}
