package io.acaciafs.kv.rocksdb.common;

import java.util.concurrent.TimeUnit;

/** Waits for threads that use native memory, which is to be freed when they have ended. */
public final class ThreadEnd {
  private ThreadEnd() {}

  /** Waits even when interrupted; whether the thread ended in time. */
  public static boolean await(Thread thread, long longestMs) {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(longestMs);
    boolean interrupted = false;
    for (long leftNs = 1; leftNs > 0 && thread.isAlive(); ) {
      leftNs = deadlineNs - System.nanoTime();
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, leftNs);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }
}
