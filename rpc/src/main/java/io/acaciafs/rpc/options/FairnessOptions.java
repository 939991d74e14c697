package io.acaciafs.rpc.options;

import static io.acaciafs.rpc.options.Ranges.atLeast;

/**
 * When separate threads serve a user because the user's calls cost much. Immutable.
 *
 * @param enabled false: the same threads serve all users
 * @param byContext whether the calls of a user in one caller context have an account of their own
 * @param limitMs recent time of network threads. A user above it is isolated if the user is among
 *     the most costly ones of several active users
 * @param halfLifeMs after this time, used time counts half
 * @param threads network threads for isolated users
 */
public record FairnessOptions(
    boolean enabled, boolean byContext, long limitMs, long halfLifeMs, int threads) {
  public FairnessOptions {
    atLeast(1, limitMs, "fairness limitMs");
    atLeast(1, halfLifeMs, "fairness halfLifeMs");
    atLeast(1, threads, "fairness threads");
  }

  /** The defaults of a server with this number of network threads. */
  public static FairnessOptions defaults(int ioThreads) {
    return new FairnessOptions(true, false, 100, 1000, Math.max(1, ioThreads));
  }
}
