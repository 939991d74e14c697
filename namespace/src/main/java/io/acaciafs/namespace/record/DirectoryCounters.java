package io.acaciafs.namespace.record;

import io.acaciafs.kv.Counters;
import org.jspecify.annotations.Nullable;

/**
 * What happens in a directory, counted beside it without conflicts.
 *
 * @param entries how many entries there are
 * @param changes only grows, with each change: a guard of the counters never overlooks one
 * @param modificationTimeMs when the last one came or went; {@link Long#MIN_VALUE} when none did
 */
public record DirectoryCounters(long entries, long changes, long modificationTimeMs) {

  /** A change: so many entries more, at this time. */
  public static Counters delta(int entries, long timeMs) {
    return new Counters(new long[] {entries, 1}, new long[] {timeMs});
  }

  /** Nothing comes or goes, but a guard of the counters notices. */
  public static Counters touch() {
    return new Counters(new long[] {0, 1}, new long[0]);
  }

  /** Entries came from another bucket, or went there: nothing that a user sees. */
  public static Counters moved(int entries) {
    return new Counters(new long[] {entries, 1}, new long[0]);
  }

  /** Of two buckets of a directory together. */
  public DirectoryCounters plus(DirectoryCounters other) {
    return new DirectoryCounters(
        entries + other.entries,
        changes + other.changes,
        Math.max(modificationTimeMs, other.modificationTimeMs));
  }

  public static DirectoryCounters decode(byte @Nullable [] row) {
    Counters counters = Counters.decode(row);
    return new DirectoryCounters(counters.sum(0), counters.sum(1), counters.maximum(0));
  }

  public byte[] encode() {
    return new Counters(new long[] {entries, changes}, new long[] {modificationTimeMs}).encode();
  }
}
