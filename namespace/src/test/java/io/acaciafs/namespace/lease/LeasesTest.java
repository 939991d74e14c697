package io.acaciafs.namespace.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.testkit.ManualClock;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is remembered of clients that say that they renew a lease. */
class LeasesTest {
  private static final long HARD_LIMIT_MS = 20 * 60 * 1000;

  private final ManualClock clock = new ManualClock();

  private Leases leases(boolean isShared) {
    return new Leases(clock, HARD_LIMIT_MS, isShared);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoHoldsNoLeaseLeavesNothing(boolean isShared) {
    Leases leases = leases(isShared);
    leases.retain(Set.of(), leases.nowMs());
    int before = leases.size();
    for (int i = 0; i < 100; i++) {
      leases.renewIfHeld("stranger-" + i);
    }
    assertThat(leases.size()).isEqualTo(before);
    assertThat(leases.takeRenewed()).isEmpty();
    leases.renew("writer");
    clock.advanceMs(Leases.SOFT_LIMIT_MS);
    leases.renewIfHeld("writer");
    clock.advanceMs(Leases.SOFT_LIMIT_MS);
    assertThat(leases.isSoftLimitExpired("writer")).isFalse();
  }

  @Test
  void beforeItIsKnownWhoHoldsOneLittleIsKept() {
    Leases leases = leases(false);
    for (int i = 0; i < 1000; i++) {
      leases.renewIfHeld(i + "x".repeat(1 << 20));
    }
    assertThat(leases.size()).isLessThan(6);
    assertThat(leases.wantsHolders()).isTrue();
    clock.advanceMs(1);
    leases.retain(Set.of(), leases.nowMs());
    assertThat(leases.size()).isEqualTo(1);
    assertThat(leases.wantsHolders()).isFalse();
  }

  @Test
  void aWriterFromBeforeTheStartRenews() {
    Leases leases = leases(false);
    clock.advanceMs(Leases.SOFT_LIMIT_MS - 1);
    leases.renewIfHeld("early"); // nobody knows yet
    long sinceMs = leases.nowMs();
    leases.retain(Set.of("early", "late"), sinceMs);
    clock.advanceMs(1000);
    assertThat(leases.isSoftLimitExpired("early")).isFalse();
    assertThat(leases.isSoftLimitExpired("late")).isTrue();
    leases.renewIfHeld("late");
    assertThat(leases.isSoftLimitExpired("late")).isFalse();
  }

  @Test
  void thoseWhoHoldNoneAnyMoreAreForgottenWhenThereAreMany() {
    Leases leases = leases(false);
    leases.retain(Set.of(), leases.nowMs());
    for (int i = 0; i < 20_000; i++) {
      leases.renew("client-" + i);
    }
    assertThat(leases.wantsHolders()).isTrue();
    clock.advanceMs(1);
    long sinceMs = leases.nowMs();
    leases.renew("during the look");
    leases.retain(Set.of("client-7"), sinceMs);
    assertThat(leases.size()).isEqualTo(3);
    assertThat(leases.isSoftLimitExpired("client-7")).isFalse();
    assertThat(leases.wantsHolders()).isFalse();
  }
}
