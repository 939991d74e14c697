package io.acaciafs.rpc.limit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The account of one user: the time that threads spent on the user's calls, with reading and
 * writing. The recent part of it halves each time that a half-life ends. For many threads.
 */
public final class UserCost {
  private final String user;
  private final long halfLifeNanos;
  private final LongAdder totalNanos = new LongAdder();
  private final AtomicLong recentNanos = new AtomicLong();
  private volatile long halfLife;
  private volatile long lastNanos;
  private volatile boolean isolated;

  UserCost(String user, long halfLifeNanos, long nowNanos) {
    this.user = user;
    this.halfLifeNanos = halfLifeNanos;
    this.lastNanos = nowNanos;
    this.halfLife = halfLife(nowNanos);
  }

  String user() {
    return user;
  }

  /** Whether the user's connections belong on the threads for costly users. */
  public boolean isIsolated() {
    return isolated;
  }

  void setIsolated(boolean isolated) {
    this.isolated = isolated;
  }

  /**
   * Adds used time.
   *
   * @return the recent cost with it
   */
  long add(long nanos, long nowNanos) {
    decay(nowNanos);
    lastNanos = nowNanos;
    totalNanos.add(nanos);
    return recentNanos.addAndGet(nanos);
  }

  private void decay(long nowNanos) {
    long now = halfLife(nowNanos);
    if (now != halfLife) {
      synchronized (this) {
        long passed = Math.min(now - halfLife, Long.SIZE - 1);
        if (passed > 0) {
          halfLife = now;
          recentNanos.updateAndGet(nanos -> nanos >> passed);
        }
      }
    }
  }

  /** The number of the half-life that a moment belongs to; the same for all accounts. */
  private long halfLife(long nowNanos) {
    return Math.floorDiv(nowNanos, halfLifeNanos);
  }

  long recentNanos(long nowNanos) {
    decay(nowNanos);
    return recentNanos.get();
  }

  long totalNanos() {
    return totalNanos.sum();
  }

  /** When time was added last. */
  long lastNanos() {
    return lastNanos;
  }
}
