package io.acaciafs.rpc;

/**
 * When a user is served apart from the others. Immutable.
 *
 * @param enabled false: all are served alike
 * @param limitMs of a network thread's time that a user may have used up recently; beyond it, and
 *     as long as there are others, he is served apart
 * @param halfLifeMs after this time what was used up counts half
 * @param threads network threads for those who are served apart
 */
public record FairnessOptions(boolean enabled, long limitMs, long halfLifeMs, int threads) {
  public FairnessOptions {
    if (limitMs < 1 || halfLifeMs < 1 || threads < 1) {
      throw new IllegalArgumentException("Not above zero: " + limitMs + " " + halfLifeMs);
    }
  }

  /** For a server with so many network threads. */
  public static FairnessOptions defaults(int ioThreads) {
    return new FairnessOptions(true, 100, 1000, Math.max(1, ioThreads));
  }
}
