package io.acaciafs.rpc;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the calls of one user have cost lately: time of the threads that serve him, read and written
 * bytes included. It halves with every half-life that begins. For many threads.
 */
final class UserCost {
  private final UserCosts all;
  private final String user;
  private final LongAdder totalNanos = new LongAdder();
  private final AtomicLong recentNanos = new AtomicLong();
  private volatile long halfLife;
  private volatile long lastNanos;
  private volatile boolean apart;

  UserCost(UserCosts all, String user, long nowNanos) {
    this.all = all;
    this.user = user;
    this.lastNanos = nowNanos;
    this.halfLife = all.halfLife(nowNanos);
  }

  String user() {
    return user;
  }

  /** Whether his connections belong on the threads that are apart. */
  boolean isApart() {
    return apart;
  }

  /** Notes that so much was used up, and whether that is too much. */
  void charge(long nanos, long nowNanos) {
    decay(nowNanos);
    lastNanos = nowNanos;
    totalNanos.add(nanos);
    long recent = recentNanos.addAndGet(nanos);
    boolean was = apart;
    if (was ? all.isLittle(recent, nowNanos) : all.isMuch(recent, nowNanos)) {
      apart = !was;
      all.served(this, !was);
    }
  }

  private void decay(long nowNanos) {
    long now = all.halfLife(nowNanos);
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

  long recentNanos(long nowNanos) {
    decay(nowNanos);
    return recentNanos.get();
  }

  long totalNanos() {
    return totalNanos.sum();
  }

  /** When he was charged last. */
  long lastNanos() {
    return lastNanos;
  }
}
