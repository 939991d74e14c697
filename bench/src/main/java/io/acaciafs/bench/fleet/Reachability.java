package io.acaciafs.bench.fleet;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the DataNodes of a fleet know together of one NameNode: how many are connected, and whether
 * it listens. One that is refused speaks for the others for a moment: a refused connection costs
 * the fleet much and the NameNode nothing, and would take the processor from a NameNode that
 * starts. Safe for use by many threads.
 */
final class Reachability {
  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final AtomicInteger connections = new AtomicInteger();
  private volatile long refusedNanos = System.nanoTime() - MOMENT_NANOS;

  /** Whether a connection was refused a moment ago. */
  boolean isRefusing() {
    return System.nanoTime() - refusedNanos < MOMENT_NANOS;
  }

  void refused() {
    refusedNanos = System.nanoTime();
  }

  void opened() {
    connections.incrementAndGet();
  }

  void closed() {
    connections.decrementAndGet();
  }

  /** How many are open. */
  int connections() {
    return connections.get();
  }
}
