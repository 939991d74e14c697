package io.acaciafs.namespace.directory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * Spares creates the look at how many entries there are, where that takes a network: a directory
 * that was less than half full a moment ago is not full now. The limit is not guarded anyway, so a
 * few more or less do no harm. Safe for use by many threads.
 */
public final class ItemCounts {
  /** Smaller limits could be reached in the time for which a count is believed. */
  private static final long SMALLEST_LIMIT = 500_000;

  private static final long BELIEVED_MS = 5_000;
  private static final int MOST_DIRECTORIES = 100_000;

  private final Clock elapsed;
  private final boolean isOn;
  private final Cache<Long, Long> lastLooks =
      Caffeine.newBuilder().maximumSize(MOST_DIRECTORIES).executor(Runnable::run).build();

  /**
   * @param isOn false: every time is looked
   */
  public ItemCounts(Clock elapsed, boolean isOn) {
    this.elapsed = elapsed;
    this.isOn = isOn;
  }

  /**
   * Whether a directory may have reached a limit. When a count is too old, one caller looks and the
   * others go by the old one.
   *
   * @param look says how many entries it has
   */
  public boolean mayReach(long directoryId, long limit, LongSupplier look) {
    if (!isOn || limit < SMALLEST_LIMIT) {
      return true;
    }
    long nowMs = elapsed.millis();
    Long last = lastLooks.getIfPresent(directoryId);
    if (last != null && nowMs - last < BELIEVED_MS) {
      return false;
    }
    if (last != null && !lastLooks.asMap().replace(directoryId, last, nowMs)) {
      return false; // another is looking now, and its answer counts from the next on
    }
    boolean isFar = false;
    try {
      isFar = look.getAsLong() < limit / 2;
    } finally { // a failed look tells nothing
      if (isFar) {
        lastLooks.put(directoryId, nowMs);
      } else {
        lastLooks.invalidate(directoryId);
      }
    }
    return !isFar;
  }
}
