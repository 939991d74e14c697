package io.acaciafs.namenode.monitor;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A figure that is made once in an interval, however many ask. A caller that comes meanwhile waits
 * for the one that makes it. Safe for use by many threads.
 */
public final class EachInterval<T> implements Supplier<T> {
  private final Supplier<T> source;
  private final long intervalNs;
  private final LongSupplier nanoTime;
  private @Nullable T made;
  private long madeNs;

  public EachInterval(long intervalMs, Supplier<T> source) {
    this(intervalMs, source, System::nanoTime);
  }

  EachInterval(long intervalMs, Supplier<T> source, LongSupplier nanoTime) {
    this.source = source;
    this.intervalNs = TimeUnit.MILLISECONDS.toNanos(intervalMs);
    this.nanoTime = nanoTime;
  }

  @Override
  public synchronized T get() {
    T known = made;
    long nowNs = nanoTime.getAsLong();
    if (known == null || nowNs - madeNs >= intervalNs) {
      known = source.get();
      made = known;
      madeNs = nowNs;
    }
    return known;
  }
}
