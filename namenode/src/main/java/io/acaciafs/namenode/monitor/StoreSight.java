package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.StoreException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether a store reads and writes, for what must not wait for it: a read is waited for half a
 * second at most. Safe for use by many threads.
 */
public final class StoreSight {
  private static final long PATIENCE_MS = 500;

  /** A read that takes longer is more than a pause. */
  private static final long LONGEST_READ_MS = 5_000;

  private final StoreHealth health;
  private final LastKnown<Boolean> reads;

  /**
   * @param reader where a read may wait
   */
  public StoreSight(StoreHealth health, Executor reader) {
    this.health = health;
    this.reads = new LastKnown<>(health::reads, true, 0, reader);
  }

  /** Why it takes no more writes; null: it does. */
  public @Nullable StoreException writeFailure() {
    return health.writeFailure();
  }

  /** Whether a row can be read: as it was last, while a read is under way for less than 5 s. */
  public boolean reads() {
    return readProblem() == null;
  }

  /** Why no row can be read, in words for people; null: it can. */
  public @Nullable String readProblem() {
    boolean isRead;
    try {
      isRead = reads.value(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS));
    } catch (StoreException e) { // too much waits for the reader
      return String.valueOf(e.getMessage());
    }
    long pendingMs = reads.pendingMs();
    if (pendingMs > LONGEST_READ_MS) {
      return "A read has waited for " + pendingMs / 1_000 + " s";
    }
    return isRead ? null : "A read failed, see the NameNode's log";
  }
}
