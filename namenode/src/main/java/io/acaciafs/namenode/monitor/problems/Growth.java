package io.acaciafs.namenode.monitor.problems;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How much a counter has grown since it began to, until it rests for a minute. For one thread. */
final class Growth {
  static final long RECENT_MS = TimeUnit.MINUTES.toMillis(1);

  private final LongSupplier counter;
  private final LongSupplier elapsedMs;
  private long before;
  private long sum;
  private long grewAtMs;

  Growth(LongSupplier counter, LongSupplier elapsedMs) {
    this.counter = counter;
    this.elapsedMs = elapsedMs;
    this.before = counter.getAsLong();
  }

  /** 0: it rests. */
  long look() {
    long now = counter.getAsLong();
    long nowMs = elapsedMs.getAsLong();
    if (now > before) {
      sum += now - before;
      grewAtMs = nowMs;
    } else if (nowMs - grewAtMs > RECENT_MS) {
      sum = 0;
    }
    before = now;
    return sum;
  }
}
