package io.acaciafs.namenode.monitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.monitor.SettableClock;
import io.acaciafs.rpc.limit.UserLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CostWindowsTest {
  private final SettableClock clock = new SettableClock();
  private final CostWindows costs = new CostWindows(25, clock::millis);

  private void note(long alice, long bob) {
    costs.note(List.of(new UserLoad("alice", 0, alice, false), new UserLoad("bob", 0, bob, false)));
  }

  @Test
  void whatUsersCostBeforeTheFirstLookIsOfNoWindow() {
    note(1_000, 0);
    assertThat(costs.nanos(25)).isEmpty();
    note(1_500, 70);
    assertThat(costs.nanos(1)).containsOnly(entry("alice", 500), entry("bob", 70));
  }

  private static Map.Entry<String, Long> entry(String user, long nanos) {
    return Map.entry(user, nanos);
  }

  @Test
  void costsLeaveTheShortWindowFirst() {
    note(0, 0);
    note(100, 0);
    clock.advanceMs(3 * 60_000);
    note(100, 40);
    assertThat(costs.nanos(1)).containsOnly(entry("bob", 40));
    assertThat(costs.nanos(5)).containsOnly(entry("alice", 100), entry("bob", 40));
    clock.advanceMs(10 * 60_000);
    note(101, 40);
    assertThat(costs.nanos(5)).containsOnly(entry("alice", 1));
    assertThat(costs.nanos(25)).containsOnly(entry("alice", 101), entry("bob", 40));
    clock.advanceMs(25 * 60_000);
    note(101, 40);
    assertThat(costs.nanos(25)).isEmpty();
  }

  @Test
  void aLongerWindowIsKeptWhole() {
    CostWindows hour = new CostWindows(60, clock::millis);
    hour.note(List.of(new UserLoad("alice", 0, 0, false)));
    hour.note(List.of(new UserLoad("alice", 0, 100, false)));
    clock.advanceMs(50 * 60_000);
    hour.note(List.of(new UserLoad("alice", 0, 101, false)));
    assertThat(hour.nanos(60)).containsOnly(entry("alice", 101));
    assertThat(hour.nanos(25)).containsOnly(entry("alice", 1));
  }

  @Test
  void anAccountThatWasForgottenMeanwhileBeginsAnew() {
    note(0, 0);
    note(100, 0);
    note(30, 0);
    assertThat(costs.nanos(1)).containsOnly(entry("alice", 130));
  }

  @Test
  void ofVeryManyUsersTheCostlyOnesAreKept() {
    List<UserLoad> loads = new ArrayList<>();
    costs.note(loads);
    for (int i = 0; i < 10_000; i++) {
      loads.add(new UserLoad("user" + i, 20_000 - i, 20_000 - i, false));
    }
    costs.note(loads);
    assertThat(costs.nanos(25)).hasSize(CostWindows.MOST_USERS).containsKey("user999");
  }
}
