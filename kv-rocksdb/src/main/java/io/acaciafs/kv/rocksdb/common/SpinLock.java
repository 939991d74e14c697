package io.acaciafs.kv.rocksdb.common;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock for a microsecond: a thread that has to wait nearly always gets it before the system could
 * have put it to sleep and woken, which costs more than all that it protects. Not reentrant.
 */
public final class SpinLock {
  private static final int SPINS = 64;
  private static final int YIELDS = 64;
  private static final long PAUSE_NS = 20_000;

  private final AtomicBoolean isHeld = new AtomicBoolean();

  public void lock() {
    for (int round = 0; isHeld.getPlain() || !isHeld.compareAndSet(false, true); round++) {
      pause(round);
    }
  }

  public void unlock() {
    isHeld.setRelease(false);
  }

  /** Lets some time go by: the more, the longer one has been waiting. */
  public static void pause(int round) {
    if (round < SPINS) {
      Thread.onSpinWait();
    } else if (round < SPINS + YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(PAUSE_NS);
    }
  }
}
