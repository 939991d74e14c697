package io.acaciafs.rpc.options;

/**
 * When a user is served apart from the others. Immutable.
 *
 * @param enabled false: all are served alike
 * @param byContext whether what a user does in one caller context has an account of its own
 * @param limitMs of a network thread's time that a user may have used up recently; beyond it, as
 *     long as there are others, and if he is among the most costly ones, he is served apart
 * @param halfLifeMs after this time what was used up counts half
 * @param threads network threads for those who are served apart
 */
public record FairnessOptions(
    boolean enabled, boolean byContext, long limitMs, long halfLifeMs, int threads) {
  public FairnessOptions {
    if (limitMs < 1 || halfLifeMs < 1 || threads < 1) {
      throw new IllegalArgumentException("Not above zero: " + limitMs + " " + halfLifeMs);
    }
  }

  /** For a server with so many network threads. */
  public static FairnessOptions defaults(int ioThreads) {
    return new FairnessOptions(true, false, 100, 1000, Math.max(1, ioThreads));
  }
}
