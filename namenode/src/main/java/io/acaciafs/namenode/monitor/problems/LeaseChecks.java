package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.namespace.lease.Leases;
import java.util.function.Consumer;

/** Whether files whose writers have gone can be closed. */
public final class LeaseChecks implements ProblemCheck {
  /** DataNodes recover a last block in seconds. */
  private static final long LONGEST_RECOVERY_MS = 300_000;

  private final Leases leases;

  public LeaseChecks(Leases leases) {
    this.leases = leases;
  }

  @Override
  public void look(Consumer<Problem> found) {
    Leases.WaitingFiles waiting = leases.waiting();
    if (waiting.count() > 0 && waiting.forMs() > LONGEST_RECOVERY_MS) {
      found.accept(
          new Problem(
              ProblemKind.LEASES_STUCK,
              waiting.count()
                  + " files wait until DataNodes have recovered their last blocks, some for "
                  + waiting.forMs() / 60_000
                  + " min"));
    }
  }
}
