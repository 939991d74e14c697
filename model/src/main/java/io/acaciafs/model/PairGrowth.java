package io.acaciafs.model;

/**
 * What an operation costs several pairs of a NameNode and a region server, from what it was
 * measured to cost one pair, with the same share of a processor for each, a region for each, and as
 * many calls in flight.
 *
 * @param requests what calls of this kind share
 * @param cpuUs of both servers of one pair for one operation
 * @param calls of this kind that an operation is
 * @param directories that all regions hold together; of one divided directory its buckets count,
 *     one in each region
 * @param load what one NameNode has to do at a time
 */
public record PairGrowth(
    SharedRequests requests, double cpuUs, int calls, double directories, Load load) {

  /**
   * @param inFlight calls at each NameNode
   * @param turns requests that a NameNode has under way at most
   */
  public record Load(double inFlight, int turns) {}

  /** CPU of all servers for one operation. */
  public double cpuUs(int servers) {
    return cpuUs + calls * (sharedUs(servers) - sharedUs(1));
  }

  private double sharedUs(int servers) {
    return requests.perCallUs(
        requests.group(load.inFlight, servers, load.turns), Math.max(1, directories / servers));
  }
}
