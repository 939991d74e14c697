package io.acaciafs.kv.rocksdb.common;

import io.acaciafs.kv.StoreException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Lets calls in until it is closed, and then waits for those inside: native memory is not freed
 * under a call's feet. Calls count themselves on a stripe of their thread, so that threads do not
 * contend for one cache line. Not reentrant across {@link #close}.
 */
public final class Gate {
  private static final int STRIPES = 64;
  private static final int INTS_PER_CACHE_LINE = 16;
  private static final long PAUSE_NS = 50_000;

  private final AtomicIntegerArray inside = new AtomicIntegerArray(STRIPES * INTS_PER_CACHE_LINE);
  private final Supplier<StoreException> whenClosed;
  private volatile boolean closed;

  /**
   * @param whenClosed what {@link #enter} throws after the end
   */
  public Gate(Supplier<StoreException> whenClosed) {
    this.whenClosed = whenClosed;
  }

  /**
   * @throws StoreException after {@link #close}; {@link #leave} is not to be called then
   */
  public void enter() {
    if (!tryEnter()) {
      throw whenClosed.get();
    }
  }

  public boolean tryEnter() {
    int stripe = stripe();
    inside.incrementAndGet(stripe);
    if (closed) {
      inside.decrementAndGet(stripe);
      return false;
    }
    return true;
  }

  /** Whether it lets calls in. */
  public boolean isOpen() {
    return !closed;
  }

  /** By the thread that entered. */
  public void leave() {
    inside.decrementAndGet(stripe());
  }

  /**
   * Lets nobody in any more and waits until all have left.
   *
   * @return whether they left in time
   */
  public boolean close(long timeoutMs) {
    closed = true;
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    for (int stripe = 0; stripe < inside.length(); stripe += INTS_PER_CACHE_LINE) {
      while (inside.get(stripe) != 0) {
        if (System.nanoTime() - deadlineNs > 0) {
          return false;
        }
        LockSupport.parkNanos(PAUSE_NS);
      }
    }
    return true;
  }

  private static int stripe() {
    return (int) (Thread.currentThread().getId() % STRIPES) * INTS_PER_CACHE_LINE;
  }
}
