package io.acaciafs.namespace.summary;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.acaciafs.kv.ReadSet;
import io.acaciafs.namespace.record.Locator;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What was counted in large directories, stretch by stretch: good for as long as the store confirms
 * that nothing has changed there since. What is smaller is counted as fast as it is found here.
 * Safe for use by many threads.
 */
public final class SummaryCache {
  private static final int FEWEST_ENTRIES = 1_024;

  /** Of half a kilobyte each. */
  private static final int MOST_STRETCHES = 10_000;

  private final Cache<Begin, Counted> stretches =
      Caffeine.newBuilder().maximumSize(MOST_STRETCHES).executor(Runnable::run).build();

  /**
   * Where a stretch begins.
   *
   * @param after name of the entry before it; empty at the directory's begin
   */
  private record Begin(Locator directory, ByteBuffer after) {}

  /**
   * A stretch without directories.
   *
   * @param last name of its last entry; empty: the directory ends with it
   * @param readSet of what is in the directory, from before it was counted
   */
  @SuppressWarnings("ArrayRecordComponent") // a name
  record Counted(SubtreeTotals totals, byte[] last, ReadSet readSet) {}

  /** What begins there, if it is known and still right; or null. */
  @Nullable Counted find(Locator directory, byte[] after) {
    Counted counted = stretches.getIfPresent(new Begin(directory, ByteBuffer.wrap(after)));
    return counted != null && counted.readSet().holds() ? counted : null;
  }

  /** Takes note of it where that is worth while. */
  void note(Locator directory, byte[] after, Counted counted) {
    SubtreeTotals totals = counted.totals();
    if (counted.readSet() != null
        && totals.files() >= FEWEST_ENTRIES
        && totals.directories() == 0) {
      stretches.put(new Begin(directory, ByteBuffer.wrap(after)), counted);
    }
  }
}
