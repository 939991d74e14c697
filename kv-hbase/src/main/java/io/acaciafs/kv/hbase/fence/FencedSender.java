package io.acaciafs.kv.hbase.fence;

import io.acaciafs.kv.hbase.client.Failures;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.client.RequestSender;
import io.acaciafs.kv.hbase.region.Assignment;
import io.acaciafs.kv.hbase.region.Assignments;
import io.acaciafs.kv.hbase.region.Membership;
import io.acaciafs.kv.hbase.region.RegionLocator;
import io.acaciafs.kv.hbase.region.UnfencedSender;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;

/**
 * Sends each conditional request of a bound process with a fencing token, once the other processes
 * know the assignment of its region. Safe for use by many threads.
 */
public final class FencedSender implements RequestSender {
  private final RegionLocator regions;
  private final Membership membership;
  private final RequestSender unfenced;
  private final FencingTokens tokens;

  public FencedSender(
      RegionLocator regions, Membership membership, UnfencedSender unfenced, FencingTokens tokens) {
    this.regions = regions;
    this.membership = membership;
    this.unfenced = unfenced;
    this.tokens = tokens;
  }

  @Override
  public CompletableFuture<Outcome> send(HRegionLocation region, RegionRequest request) {
    if (!membership.isBound()) {
      return unfenced.send(region, request);
    }
    Assignments assignments = regions.assignments();
    Assignment by = region.getServerName() == null ? null : assignments.of(region);
    if (by == null || membership.isOwn(request) || by.isAnnounced()) {
      return tokens.send(region, request);
    }
    return regions
        .bounded(assignments.announced(by))
        .handle(
            (told, failure) ->
                failure == null
                    ? tokens.send(region, request)
                    : CompletableFuture.<Outcome>completedFuture(
                        new Outcome.NotServed(Failures.causeOf(failure))))
        .thenCompose(sent -> sent);
  }
}
