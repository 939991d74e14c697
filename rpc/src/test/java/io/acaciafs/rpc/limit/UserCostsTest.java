package io.acaciafs.rpc.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.options.FairnessOptions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Accounts of users; a client can name any number of users. */
class UserCostsTest {
  private final UserCosts costs = new UserCosts(FairnessOptions.defaults(1), 0);

  @Test
  void usersAboveTheLimitShareAnAccount() {
    for (int i = 0; i < 3 * UserCosts.MAX_USERS; i++) {
      costs.of("user-" + i, i);
    }
    assertThat(costs.loads(0)).hasSize(UserCosts.MAX_USERS + 1);
    assertThat(costs.of("user-1", 0).user()).isEqualTo("user-1");
    assertThat(costs.of("another", 0).user()).isEqualTo(UserCosts.OTHERS);
    long laterNanos = TimeUnit.MINUTES.toNanos(2);
    assertThat(costs.of("another", laterNanos).user()).isEqualTo("another");
    assertThat(costs.loads(laterNanos)).hasSizeLessThan(10);
  }

  @Test
  void aChangedLimitAppliesFromThenOn() {
    costs.charge(costs.of("quiet", 0), 1, 0);
    UserCost busy = costs.of("busy", 0);
    costs.charge(busy, TimeUnit.MILLISECONDS.toNanos(50), 0);
    assertThat(busy.isIsolated()).as("within 100 ms").isFalse();
    costs.setLimitMs(20);
    costs.charge(busy, 1, 0);
    assertThat(busy.isIsolated()).isTrue();
  }

  @Test
  void usersWithLongNamesShareAnAccount() {
    assertThat(costs.of("x".repeat(5000), 0).user()).isEqualTo(UserCosts.OTHERS);
  }
}
