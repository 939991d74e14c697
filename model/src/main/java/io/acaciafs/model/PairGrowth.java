package io.acaciafs.model;

/**
 * What several pairs of a NameNode and a region server do, from what one pair was measured to do,
 * with the same share of a processor for each, a region for each, and as many calls in flight.
 *
 * @param requests what calls of this kind share
 * @param operationsPerSecond of one pair
 * @param cpuUs of both servers of the pair for one operation
 * @param commits transactions of one operation; 0 for a read
 * @param directories that all regions hold together; of one divided directory its buckets count,
 *     one in each region
 * @param inFlight calls at each NameNode
 */
public record PairGrowth(
    SharedRequests requests,
    double operationsPerSecond,
    double cpuUs,
    int commits,
    double directories,
    double inFlight) {

  /** CPU of all servers for one operation. */
  public double cpuUs(int servers) {
    return cpuUs + commits * (sharedUs(servers) - sharedUs(1));
  }

  public double operationsPerSecond(int servers) {
    return servers * operationsPerSecond * cpuUs / cpuUs(servers);
  }

  private double sharedUs(int servers) {
    return requests.perCallUs(
        requests.group(inFlight / servers), Math.max(1, directories / servers));
  }
}
