package io.acaciafs.blocks.datanode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How much a NameNode knows of what a DataNode has reported incrementally, where several NameNodes
 * hear it. Only its owner stores all of it; the others keep it here until they learn that the owner
 * has, so that one of them can go on where an owner died.
 *
 * <p>Rests on how a DataNode speaks to each of its NameNodes (Hadoop's BPServiceActor): one call
 * after the other; behind each heartbeat it sends all that it has to report; what is not answered
 * is sent again. So at a heartbeat all that there was to be said at the one before has come.
 *
 * <p>Times are this NameNode's. Safe for use by many threads.
 */
public final class ReportStream {
  /** More than this are not kept: then the DataNode is asked for a full report. */
  static final int LIMIT = 20_000;

  private static final long NEVER = Long.MIN_VALUE;
  private static final int BEATS_TO_CATCH_UP = 2;

  private enum Mode {
    /** Somebody else stores the reports, or did until a moment ago. */
    KEEPING,
    /** What was kept is on its way into the store. */
    DRAINING,
    /** This NameNode owns the DataNode and has caught up. */
    DIRECT
  }

  private record Place(int storage, long blockId) {}

  private record Kept(long atMs, ReplicaEvent event) {}

  private Map<Place, Kept> kept = new LinkedHashMap<>();
  private Mode mode = Mode.KEEPING;
  private @Nullable CompletableFuture<Void> drained;
  private long heardSinceMs = NEVER;
  private long storedElsewhereMs = NEVER;
  private long storedHereMs = NEVER;
  private long lastBeatMs = NEVER;
  private long beatBeforeMs = NEVER;
  private int beatsSinceTaken;
  private boolean isRegisteredAnew;
  private boolean hasDropped;
  private boolean isOwned;

  /**
   * The DataNode has registered here: what it said before is not for this process any more, or will
   * be part of its full report.
   */
  synchronized void registered() {
    heardSinceMs = NEVER;
    forgetBeats();
    storedHereMs = NEVER;
    isRegisteredAnew = !isOwned;
    hasDropped = false;
    kept.clear();
  }

  public synchronized void heartbeat(long nowMs) {
    if (heardSinceMs == NEVER) {
      heardSinceMs = nowMs;
    }
    beatsSinceTaken++;
    if (mode == Mode.DIRECT && beatBeforeMs != NEVER) {
      storedHereMs = beatBeforeMs; // one more than need be: a call may be lost without our knowing
    }
    beatBeforeMs = lastBeatMs;
    lastBeatMs = nowMs;
  }

  /** A report could not be taken in; it will come again. */
  public synchronized void failed() {
    forgetBeats();
  }

  private void forgetBeats() {
    lastBeatMs = NEVER;
    beatBeforeMs = NEVER;
    beatsSinceTaken = 0;
  }

  /**
   * @return completes when these may be stored, at once or behind what was kept; null where they
   *     were kept instead
   */
  public synchronized @Nullable CompletableFuture<Void> admit(
      List<ReplicaEvent> events, long nowMs) {
    return switch (mode) {
      case DIRECT -> CompletableFuture.completedFuture(null);
      case DRAINING -> drained;
      case KEEPING -> {
        events.forEach(event -> keep(new Kept(nowMs, event)));
        if (kept.size() > LIMIT) {
          kept.clear();
          heardSinceMs = nowMs;
          hasDropped = true; // the DataNode has been answered, and will not say it again
        }
        yield null;
      }
    };
  }

  private void keep(Kept last) {
    Place place = new Place(last.event().storage().index(), last.event().blockId());
    kept.remove(place); // the new one stands behind all others
    kept.put(place, last);
  }

  /** The owner has stored all that was reported before this time. */
  public synchronized void storedElsewhere(long beforeMs) {
    storedElsewhereMs = Math.max(storedElsewhereMs, beforeMs);
    if (mode == Mode.KEEPING) {
      Iterator<Kept> oldest = kept.values().iterator();
      while (oldest.hasNext() && oldest.next().atMs() < beforeMs) {
        oldest.remove();
      }
    }
  }

  /** Whether all that is not stored is known here. */
  public synchronized boolean isComplete() {
    return heardSinceMs != NEVER && storedElsewhereMs >= heardSinceMs;
  }

  /** Whether it has registered here, and it is not known that its owner took note of that. */
  synchronized boolean isRegisteredAnew() {
    return isRegisteredAnew && !isComplete();
  }

  /**
   * Whether reports were dropped here that nobody may have stored. An owner has to ask for a full
   * report then, before {@link #drained(boolean)}.
   */
  public synchronized boolean hasDropped() {
    return hasDropped && (isOwned || !isComplete());
  }

  /**
   * This NameNode owns the DataNode from now on.
   *
   * @param isFirst nobody else has heard it before
   */
  synchronized void taken(boolean isFirst) {
    beatsSinceTaken = 0;
    isRegisteredAnew = false;
    hasDropped = hasDropped();
    isOwned = true;
    mode = isFirst && kept.isEmpty() && !hasDropped ? Mode.DIRECT : Mode.KEEPING;
  }

  /** Another NameNode owns the DataNode. */
  synchronized void lost() {
    isOwned = false;
    if (mode == Mode.DIRECT) {
      mode = Mode.KEEPING;
    }
    storedHereMs = NEVER;
  }

  /**
   * Begins to store what was kept, when all has come that was said before the DataNode was taken.
   *
   * @return what is to be stored; null while that is not so, or was done already. {@link
   *     #drained(boolean)} must follow
   */
  public synchronized @Nullable List<ReplicaEvent> drain() {
    if (mode != Mode.KEEPING || beatsSinceTaken < BEATS_TO_CATCH_UP) {
      return null;
    }
    mode = Mode.DRAINING;
    drained = new CompletableFuture<>();
    return kept.values().stream().map(Kept::event).toList();
  }

  /**
   * @param isStored false: it is tried again later
   */
  public void drained(boolean isStored) {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      waiting = Objects.requireNonNull(drained, "drain() was called");
      mode = isStored && isOwned ? Mode.DIRECT : Mode.KEEPING;
      if (isStored) {
        kept = new LinkedHashMap<>();
        hasDropped = false;
      }
    }
    if (isStored) {
      waiting.complete(null);
    } else {
      waiting.completeExceptionally(
          new IOException("Reports of this DataNode could not be stored"));
    }
  }

  public synchronized boolean isDirect() {
    return mode == Mode.DIRECT;
  }

  /**
   * @return the time before which all reports are stored; {@link Long#MIN_VALUE} where that is not
   *     known
   */
  public synchronized long storedHereMs() {
    return storedHereMs;
  }

  /** What is kept, in its order. */
  synchronized List<ReplicaEvent> kept() {
    return new ArrayList<>(kept.values().stream().map(Kept::event).toList());
  }
}
