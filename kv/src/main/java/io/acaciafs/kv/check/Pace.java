package io.acaciafs.kv.check;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How long a check rests, so that others are not held up. Used by one thread. */
public interface Pace {
  /** No pause at all: nothing else uses the store. */
  Pace WITHOUT_REST = (workedNs, pauseMs) -> {};

  /**
   * Waits.
   *
   * @param workedNs how long the last slice took
   * @param pauseMs for how long nothing is to happen in any case
   */
  void rest(long workedNs, long pauseMs) throws InterruptedException;

  /**
   * Rests after each slice.
   *
   * @param workPercent what part of its time it works, 1 to 100
   */
  static Pace of(int workPercent) {
    CountDownLatch never = new CountDownLatch(1);
    return (workedNs, pauseMs) -> {
      long restNs = workedNs / workPercent * (100 - workPercent);
      long waitNs = Math.max(restNs, TimeUnit.MILLISECONDS.toNanos(pauseMs));
      if (waitNs > 0) {
        never.await(waitNs, TimeUnit.NANOSECONDS);
      }
    };
  }
}
