package io.acaciafs.namespace.run;

import io.acaciafs.namespace.context.CallId;
import io.acaciafs.namespace.record.Locator;
import java.time.Clock;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What this process remembers of calls that come again, so that first attempts, which are nearly
 * all, need not look for an answer. Takes a fixed amount of memory, and errs on the safe side: a
 * place is shared by all clients with the same hash. Safe for use by many threads.
 *
 * <p>Nothing here needs to survive: a connection to a process that is gone brings no first attempts
 * any more.
 */
final class RetryHints {
  private static final int PLACES = 1 << 14;
  private static final long NEVER = Long.MIN_VALUE;

  private final Clock elapsed;
  private final long keptMs;
  private final AtomicLongArray lastMs = new AtomicLongArray(PLACES);
  private final AtomicReferenceArray<Indexed> indexed = new AtomicReferenceArray<>(PLACES);

  /** A bucket of a directory whose answers of a while are found by their index row. */
  record Indexed(long timeMs, Locator directory, int bucket) {
    private int place() {
      return placeOf(31 * directory.hashCode() + bucket);
    }
  }

  /**
   * @param elapsed does not jump when somebody sets the clock
   * @param keptMs how long answers are kept
   */
  RetryHints(Clock elapsed, long keptMs) {
    this.elapsed = elapsed;
    this.keptMs = keptMs;
    for (int i = 0; i < PLACES; i++) {
      lastMs.set(i, NEVER);
    }
  }

  /** A call is, or may be, a repetition; before it looks whether an attempt has taken effect. */
  void note(CallId call) {
    lastMs.set(placeOf(Arrays.hashCode(call.clientId())), elapsed.millis());
  }

  /**
   * Whether the client of a call may have repeated one lately, perhaps this one. To be asked when
   * the answer's row is guarded already: a later repetition of the call will then conflict.
   */
  boolean mayHaveCome(CallId call) {
    long last = lastMs.get(placeOf(Arrays.hashCode(call.clientId())));
    return last != NEVER && elapsed.millis() - last <= keptMs;
  }

  /** Whether the index row is known to be there. */
  boolean isIndexed(Indexed row) {
    return row.equals(indexed.get(row.place()));
  }

  /** The index row is committed. */
  void noteIndexed(Indexed row) {
    indexed.set(row.place(), row);
  }

  private static int placeOf(int hash) {
    return (hash * 0x9E3779B9) >>> Integer.SIZE - Integer.numberOfTrailingZeros(PLACES);
  }
}
