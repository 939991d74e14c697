package io.acaciafs.kv.hbase.region;

import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.hbase.client.Backoff;
import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.client.RequestSender;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import java.util.random.RandomGenerator;

/**
 * Sends requests that HBase may apply twice, without a fencing token, until there is an answer.
 * Blocks; safe for use by many threads.
 */
public final class IdempotentRequests {
  private final ClusterClient client;
  private final RegionLocator regions;
  private final RequestSender unfenced;
  private final RandomGenerator random;

  public IdempotentRequests(
      ClusterClient client,
      RegionLocator regions,
      UnfencedSender unfenced,
      RandomGenerator random) {
    this.client = client;
    this.regions = regions;
    this.unfenced = unfenced;
    this.random = random;
  }

  /**
   * Sends a request until it is applied or refused.
   *
   * @param what what the request does, for errors
   * @return whether its conditions held
   * @throws UnavailableException if HBase does not answer in time
   */
  public boolean send(RegionRequest request, String what) {
    Backoff backoff = new Backoff(random, client.options().operationTimeoutMs());
    while (!backoff.isOver()) {
      Outcome outcome =
          client.await(unfenced.send(regions.locateNow(request.row()), request), what);
      if (outcome instanceof Outcome.Applied || outcome instanceof Outcome.Refused) {
        return outcome instanceof Outcome.Applied;
      }
      backoff.next();
      regions.relocate(request.row());
    }
    throw new UnavailableException("HBase did not answer when it was to " + what);
  }
}
