package io.acaciafs.bench.scale;

import io.acaciafs.bench.client.Meter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a second of a processor is worth while others are at work: how much of one it takes to do
 * the same little piece of work, again and again. The busier the machine, the less it is, as those
 * who take turns on a processor find its caches full of what the others left. The thread {@code
 * cpu-worth} works some hundredths of the time, from the start to the close; the rest is for one
 * other thread.
 */
final class CpuWorth implements Meter, AutoCloseable {
  /** As much as a cache that processors do not share holds. */
  private static final int INTS = 1 << 18;

  private static final int INTS_A_LINE = 16;
  private static final int STEPS = 50_000;
  private static final int WARM_UP = 300;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);
  private static final long CLOSE_MS = 5_000;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final int[] next = shuffled();
  private final Thread thread = new Thread(this::work, "cpu-worth");
  private volatile boolean isOver;
  private volatile int reached;
  private long nanos;
  private long units;
  private double microsAUnit;

  CpuWorth() {
    thread.setDaemon(true);
    thread.start();
  }

  /** A walk through all lines in an order that nobody foresees. */
  private static int[] shuffled() {
    int[] order = new int[INTS / INTS_A_LINE];
    Arrays.setAll(order, i -> i);
    long state = 1;
    for (int i = order.length - 1; i > 0; i--) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      int other = (int) ((state >>> 33) % (i + 1));
      int kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
    int[] walk = new int[INTS];
    for (int i = 0; i < order.length; i++) {
      walk[order[i] * INTS_A_LINE] = order[(i + 1) % order.length] * INTS_A_LINE;
    }
    return walk;
  }

  private void work() {
    for (int i = 0; !isOver; i++) {
      long before = threads.getCurrentThreadCpuTime();
      int at = reached;
      for (int step = 0; step < STEPS; step++) {
        at = next[at];
      }
      reached = at;
      add(threads.getCurrentThreadCpuTime() - before);
      if (i > WARM_UP) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private synchronized void add(long cpuNanos) {
    nanos += cpuNanos;
    units++;
  }

  @Override
  public synchronized void start() {
    nanos = 0;
    units = 0;
  }

  @Override
  public synchronized void stop() {
    microsAUnit = units == 0 ? 0 : nanos / 1e3 / units;
  }

  /** Time of a processor that a piece of work took in the last span; 0 where none was done. */
  synchronized double microsAUnit() {
    return microsAUnit;
  }

  @Override
  public void close() {
    isOver = true;
    LockSupport.unpark(thread);
    try {
      thread.join(CLOSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
