package io.acaciafs.namenode.monitor.problems;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Whether the time of day was set by more than two seconds between two looks: times of files and
 * tokens are wrong before it or after it. Tells of it for an hour.
 */
public final class ClockChecks implements ProblemCheck {
  static final long MOST_MS = 2_000;
  static final long TOLD_MS = TimeUnit.HOURS.toMillis(1);

  private final Clock clock;
  private final Clock elapsed;
  private long differenceMs;
  private long setByMs;
  private long setAtMs;

  /**
   * @param elapsed which nobody sets
   */
  public ClockChecks(Clock clock, Clock elapsed) {
    this.clock = clock;
    this.elapsed = elapsed;
    this.differenceMs = clock.millis() - elapsed.millis();
  }

  @Override
  public void look(Consumer<Problem> found) {
    long elapsedMs = elapsed.millis();
    long nowMs = clock.millis() - elapsedMs;
    if (Math.abs(nowMs - differenceMs) > MOST_MS) {
      setByMs = nowMs - differenceMs;
      setAtMs = elapsedMs;
    }
    differenceMs = nowMs;
    if (setByMs != 0 && elapsedMs - setAtMs < TOLD_MS) {
      found.accept(
          new Problem(
              ProblemKind.CLOCK_SET,
              "By "
                  + Math.abs(setByMs) / 1_000
                  + " s "
                  + (setByMs > 0 ? "forward" : "back")
                  + ": times of files before or after it are wrong"));
    }
  }
}
