package io.acaciafs.model;

/**
 * What calls save that share a request to HBase. Changes of one region share requests, and so do
 * reads of one region server. A request costs CPU whatever it carries, and a changed counter costs
 * once however many changes of the request add to it; so a change is cheaper in large groups, and
 * in a region that holds few directories.
 *
 * @param requestCpuUs of a request, whatever it carries
 * @param counterRowCpuUs of a row of counters that a request adds to; 0 for reads
 * @param most calls in a request
 */
public record SharedRequests(double requestCpuUs, double counterRowCpuUs, int most) {
  /**
   * At most two requests of a region are under way, and the second leaves only when as many wait:
   * so on average 2.75 groups share what is in flight.
   */
  private static final double GROUPS_IN_FLIGHT = 2.75;

  /**
   * Calls in a request.
   *
   * @param inFlight calls that one NameNode has for one region, or of reads for one region server
   */
  public double group(double inFlight) {
    return limited(inFlight / GROUPS_IN_FLIGHT);
  }

  /**
   * Calls in a request where the NameNode has turns for only so many requests at a time: what has
   * none waits, so that the next requests are fuller.
   *
   * @param inFlight calls that one NameNode has for all regions, or of reads for all region servers
   * @param regions that they are for, or region servers
   */
  public double group(double inFlight, int regions, int turns) {
    return limited(inFlight / (regions + Math.min(turns, (GROUPS_IN_FLIGHT - 1) * regions)));
  }

  private double limited(double group) {
    return Math.min(most, Math.max(1, group));
  }

  /**
   * CPU of its request that a call pays for.
   *
   * @param directories of the region, all equally often changed
   */
  public double perCallUs(double group, double directories) {
    return (requestCpuUs + counterRowCpuUs * distinct(directories, group)) / group;
  }

  /** Of so many, how many different ones are met in so many draws with replacement. */
  static double distinct(double all, double draws) {
    return all * (1 - Math.pow(1 - 1 / all, draws));
  }
}
