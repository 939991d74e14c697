package io.acaciafs.kv.raft;

import io.acaciafs.kv.engine.ReplicaStart;
import io.acaciafs.kv.engine.ReplicaStart.Counted;
import io.acaciafs.kv.engine.ReplicaStart.Step;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Notes how the start of a member goes. Safe for use by many threads. */
final class StartSteps {
  private static final long NOT_YET = -1;

  private final LongSupplier nanoTime;
  private final long openedNs;
  private long firstApplied = NOT_YET;
  private long logReadMs = NOT_YET;
  private long doneMs = NOT_YET;
  private @Nullable Counted copy;

  /** The store was opened now. */
  StartSteps(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.openedNs = nanoTime.getAsLong();
  }

  /** A copy is fetched, and then put in the store's place. */
  synchronized void copies(long bytes, long ofAll) {
    copy = new Counted(bytes, ofAll);
  }

  /** None is fetched any more, as it is in place, or was given up. */
  synchronized void copiesNoMore() {
    copy = null;
  }

  /** While Ratis reads its log, and nothing else is known. */
  synchronized ReplicaStart reading() {
    return progress(Step.READS_LOG, Counted.NOTHING);
  }

  /**
   * @param applied index of the last entry that was applied
   * @param committed index of the last one that is known to be committed
   */
  synchronized ReplicaStart takingPart(long applied, long committed, boolean knowsLeader) {
    if (firstApplied == NOT_YET) {
      firstApplied = Math.max(0, applied);
    }
    boolean hasAll = applied >= committed;
    if (!hasAll && doneMs == NOT_YET) {
      logReadMs = NOT_YET; // a leader told of more
    } else if (hasAll && logReadMs == NOT_YET) {
      logReadMs = sinceOpened();
    }
    if (hasAll && knowsLeader && copy == null && doneMs == NOT_YET) {
      doneMs = sinceOpened();
    }
    Counted log =
        new Counted(
            Math.max(0, applied - firstApplied),
            Math.max(0, Math.max(applied, committed) - firstApplied));
    return progress(
        doneMs != NOT_YET ? Step.DONE : hasAll ? Step.AWAITS_LEADER : Step.READS_LOG, log);
  }

  private ReplicaStart progress(Step step, Counted log) {
    Counted copied = copy;
    return new ReplicaStart(
        copied == null ? step : Step.COPIES_STORE,
        log,
        copied == null ? Counted.NOTHING : copied,
        logReadMs == NOT_YET ? sinceOpened() : logReadMs,
        doneMs == NOT_YET ? sinceOpened() : doneMs);
  }

  private long sinceOpened() {
    return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - openedNs);
  }
}
