package io.acaciafs.rpc.metrics;

/**
 * Durations are counted in buckets, of which four are a doubling: what is estimated from them is
 * wrong by a fifth at most. The first one ends at 2^13 ns, 8 microseconds; the last but one at 17
 * seconds. Stateless.
 */
public final class DurationBuckets {
  /** Of a doubling. */
  public static final int PARTS = 4;

  private static final int PART_BITS = 2;
  private static final int SHORTEST_BITS = 13;
  private static final int DOUBLINGS = 21;
  static final int COUNT = 1 + DOUBLINGS * PARTS + 1;

  private DurationBuckets() {}

  /** The first bucket with a bound that is not below. */
  static int of(long nanos) {
    long most = nanos - 1;
    if (most < 1L << SHORTEST_BITS) {
      return 0;
    }
    int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(most);
    int part = (int) (most >>> bits - PART_BITS) - PARTS;
    return Math.min(COUNT - 1, 1 + (bits - SHORTEST_BITS) * PARTS + part);
  }

  /** The upper bound of a bucket; the last one has none. */
  public static double boundSeconds(int bucket) {
    if (bucket == COUNT - 1) {
      return Double.POSITIVE_INFINITY;
    }
    int doubling = Math.floorDiv(bucket - 1, PARTS);
    long parts = PARTS + 1 + Math.floorMod(bucket - 1, PARTS);
    return (parts << SHORTEST_BITS + doubling - PART_BITS) / 1e9;
  }
}
