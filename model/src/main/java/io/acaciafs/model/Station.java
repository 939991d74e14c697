package io.acaciafs.model;

/**
 * A server with several processors and one queue: M/G/c. The mean wait is that of exponential
 * services, times the mean of one and their squared coefficient of variation (Lee and Longton); the
 * tail of the wait is exponential. Immutable.
 */
final class Station {
  private final double mean;
  private final double utilisation;
  private final double waits;
  private final double meanWait;

  /**
   * @param processors that serve
   * @param perSecond arrivals, at random
   * @param mean seconds of a service
   * @param secondMoment of a service
   */
  Station(int processors, double perSecond, double mean, double secondMoment) {
    this.mean = mean;
    double load = perSecond * mean;
    utilisation = load / processors;
    if (load == 0) {
      waits = 0;
      meanWait = 0;
    } else if (utilisation >= 1) {
      waits = 1;
      meanWait = Double.POSITIVE_INFINITY;
    } else {
      waits = erlangC(processors, load);
      double variation = secondMoment / (mean * mean) - 1;
      meanWait = waits * mean / (processors - load) * (1 + variation) / 2;
    }
  }

  /** The part of arrivals that wait, if services are exponential. */
  static double erlangC(int processors, double load) {
    double blocked = 1; // Erlang's B, by its recursion
    for (int i = 1; i <= processors; i++) {
      blocked = load * blocked / (i + load * blocked);
    }
    return blocked / (1 - load / processors * (1 - blocked));
  }

  /** From 0; 1 and more is too much. */
  double utilisation() {
    return utilisation;
  }

  double mean() {
    return mean;
  }

  double waits() {
    return waits;
  }

  /** Seconds, of all arrivals. */
  double meanWait() {
    return meanWait;
  }
}
