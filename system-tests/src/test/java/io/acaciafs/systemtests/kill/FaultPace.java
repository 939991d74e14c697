package io.acaciafs.systemtests.kill;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One history for each fault. Clients pause between operations, so a history stays short enough to
 * be checked. Some NameNodes get no calls during a fault, so they do not notice it: their clients
 * wait until the fault is about to end, and then ask without pauses. Safe for use by many threads.
 */
final class FaultPace implements FewPaths.Pace {
  private static final int LONGEST_PAUSE_MS = 300;
  private static final long HURRY_NS = TimeUnit.SECONDS.toNanos(1);

  private final Set<Integer> quiet = new HashSet<>();
  private int history;
  private long wokenNs = System.nanoTime() - HURRY_NS;

  @Override
  public synchronized int next(int nameNode, Random random) throws InterruptedException {
    long untilNs =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_PAUSE_MS));
    long leftNs = untilNs - System.nanoTime();
    while (quiet.contains(nameNode) || leftNs > 0 && !isHurry()) {
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(leftNs, TimeUnit.MILLISECONDS.toNanos(1)));
      leftNs = untilNs - System.nanoTime();
    }
    return history;
  }

  private boolean isHurry() {
    return System.nanoTime() - wokenNs < HURRY_NS;
  }

  synchronized void nextHistory() {
    history++;
  }

  /** Clients that ask one of these first wait from their next operation on. */
  synchronized void quieten(Set<Integer> nameNodes) {
    quiet.addAll(nameNodes);
  }

  /** All clients go on, for a second without pauses. */
  synchronized void wake() {
    quiet.clear();
    wokenNs = System.nanoTime();
    notifyAll();
  }
}
