package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.blocks.record.RollingUpgrade;
import java.time.Clock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether a rolling upgrade could be rolled back. */
public final class UpgradeChecks implements ProblemCheck {
  /** The NameNode looks twice a minute. */
  private static final long USUAL_MS = 120_000;

  private final Supplier<@Nullable RollingUpgrade> underWay;
  private final Clock clock;

  public UpgradeChecks(Supplier<@Nullable RollingUpgrade> underWay, Clock clock) {
    this.underWay = underWay;
    this.clock = clock;
  }

  @Override
  public void look(Consumer<Problem> found) {
    RollingUpgrade upgrade = underWay.get();
    if (upgrade != null && !upgrade.hasBackup() && clock.millis() - upgrade.startMs() > USUAL_MS) {
      found.accept(
          new Problem(
              ProblemKind.BACKUP_MISSING, "It cannot be rolled back: see the NameNode's log"));
    }
  }
}
