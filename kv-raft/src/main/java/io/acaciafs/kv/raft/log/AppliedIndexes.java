package io.acaciafs.kv.raft.log;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Which batch was applied last, and with which entries of Ratis's log batches ended that may not be
 * in files yet: one of {@link #STEP}, as there may be millions. Safe for use by many threads.
 */
public final class AppliedIndexes {
  public static final int STEP = 32;

  /** Oldest first. */
  private final Deque<AppliedMark> notReleased = new ArrayDeque<>();

  private final PositionWaiters waiters = new PositionWaiters();
  private AppliedMark released;
  private volatile AppliedMark last;

  /**
   * @param released up to where files hold all
   */
  public AppliedIndexes(AppliedMark released) {
    this.released = released;
    this.last = released;
  }

  /** Of the batch that was applied last. */
  public long position() {
    return last.position();
  }

  public AppliedMark last() {
    return last;
  }

  /** Files hold all up to a mark, and nothing else was applied. */
  public void restart(AppliedMark mark) {
    synchronized (this) {
      notReleased.clear();
      released = mark;
      last = mark;
    }
    waiters.reached(mark.position());
  }

  /** The next batch has been applied. */
  public void applied(AppliedMark mark) {
    synchronized (this) {
      last = mark;
      if (mark.position() % STEP == 0) {
        notReleased.add(mark);
      }
    }
    waiters.reached(mark.position());
  }

  /** Completes, on the thread that applies, when a batch has been applied. */
  public CompletableFuture<Void> await(long position) {
    return waiters.await(position, this::position);
  }

  /**
   * What files hold when they hold all batches up to a position: that or somewhat less.
   *
   * @return null where that is nothing new
   */
  public synchronized @Nullable AppliedMark release(long upTo) {
    if (upTo >= last.position()) {
      notReleased.clear();
      return last.position() > released.position() ? last : null;
    }
    AppliedMark found = null;
    while (!notReleased.isEmpty() && notReleased.getFirst().position() <= upTo) {
      found = notReleased.removeFirst();
    }
    return found;
  }

  public synchronized void released(AppliedMark mark) {
    released = mark;
  }

  /** Up to where files hold all, durably. */
  public synchronized AppliedMark released() {
    return released;
  }
}
