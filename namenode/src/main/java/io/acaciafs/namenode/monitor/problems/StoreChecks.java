package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.kv.StoreException;
import io.acaciafs.namenode.monitor.LastKnown;
import io.acaciafs.namenode.monitor.StoreHealth;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Whether the store reads and writes. Reads one row. */
public final class StoreChecks implements ProblemCheck {
  private static final long PATIENCE_MS = 500;

  /** One that takes longer is more than a pause. */
  private static final long LONGEST_READ_MS = 5_000;

  private final StoreHealth health;
  private final LastKnown<Boolean> reads;

  /**
   * @param reader where a reading may wait
   */
  public StoreChecks(StoreHealth health, Executor reader) {
    this.health = health;
    this.reads = new LastKnown<>(health::reads, true, 0, reader);
  }

  @Override
  public void look(Consumer<Problem> found) {
    StoreException failure = health.writeFailure();
    if (failure != null) {
      found.accept(
          new Problem(ProblemKind.STORE_NOT_WRITABLE, String.valueOf(failure.getMessage())));
    }
    boolean isRead = reads.value(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS));
    long pendingMs = reads.pendingMs();
    if (pendingMs > LONGEST_READ_MS) {
      found.accept(
          new Problem(
              ProblemKind.STORE_SILENT, "A read has waited for " + pendingMs / 1_000 + " s"));
    } else if (!isRead) {
      found.accept(new Problem(ProblemKind.STORE_SILENT, "A read failed, see the NameNode's log"));
    }
  }
}
