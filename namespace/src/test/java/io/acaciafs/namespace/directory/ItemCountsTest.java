package io.acaciafs.namespace.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.testkit.ManualClock;
import org.junit.jupiter.api.Test;

/** How often somebody who creates an entry looks how many there are. */
class ItemCountsTest {
  private static final long DIRECTORY = 7;
  private static final long LIMIT = 1_000_000;

  private final ManualClock clock = new ManualClock();
  private final ItemCounts counts = new ItemCounts(clock, true);
  private int looks;

  @Test
  void aCountIsBelievedForAWhile() {
    assertThat(mayReach(10)).isFalse();
    assertThat(mayReach(10)).isFalse();
    assertThat(looks).isEqualTo(1);
    clock.advanceMs(5_000);
    assertThat(mayReach(10)).isFalse();
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void oneLooksForAllThatCreateMeanwhile() {
    mayReach(10);
    clock.advanceMs(5_000);
    boolean mayReach =
        counts.mayReach(
            DIRECTORY,
            LIMIT,
            () -> {
              looks++;
              assertThat(mayReach(10)).as("of another, while this one looks").isFalse();
              return 10;
            });
    assertThat(mayReach).isFalse();
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void whatMayBeFullIsLookedAtEachTime() {
    mayReach(10);
    clock.advanceMs(5_000);
    assertThat(mayReach(LIMIT / 2)).isTrue();
    assertThat(mayReach(LIMIT / 2)).isTrue();
    assertThat(looks).isEqualTo(3);
  }

  private boolean mayReach(long entries) {
    return counts.mayReach(
        DIRECTORY,
        LIMIT,
        () -> {
          looks++;
          return entries;
        });
  }
}
