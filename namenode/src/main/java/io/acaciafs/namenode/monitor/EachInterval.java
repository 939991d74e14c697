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
  /** Of what pages show: half of the time after which an open page asks anew. */
  static final long PAGES_MS = 5_000;

  private static final long SHARED_MS = 2_000;

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

  /** In the interval of what pages show. */
  public static <T> EachInterval<T> forPages(Supplier<T> source) {
    return new EachInterval<>(PAGES_MS, source);
  }

  /** In the interval of what several pages show, so that it is read once for all. */
  public static <T> EachInterval<T> shared(Supplier<T> source) {
    return new EachInterval<>(SHARED_MS, source);
  }

  @Override
  public synchronized T get() {
    T known = made;
    if (known == null || nanoTime.getAsLong() - madeNs >= intervalNs) {
      known = source.get();
      made = known;
      madeNs = nanoTime.getAsLong(); // one that took long is not old yet
    }
    return known;
  }
}
