package io.acaciafs.kv.hbase.region;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.client.RequestSender;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Proves by a write that a server had a region when it answered a read. Safe for use by many
 * threads; never blocks.
 */
public final class AssignmentProver {
  private final ClusterClient client;
  private final Membership membership;
  private final RequestSender unfenced;
  private final RandomGenerator random;

  public AssignmentProver(
      ClusterClient client,
      Membership membership,
      UnfencedSender unfenced,
      RandomGenerator random) {
    this.client = client;
    this.membership = membership;
    this.unfenced = unfenced;
    this.random = random;
  }

  /**
   * Finds out whether a server had a region when it answered: it has the region still, as HBase
   * applies a write there.
   *
   * @param sentNs when the read was sent
   * @return does not fail
   */
  public CompletableFuture<Boolean> prove(Assignment by, long sentNs) {
    if (!membership.isBound()) {
      return CompletableFuture.completedFuture(!by.isOver());
    }
    long longestNs = TimeUnit.MILLISECONDS.toNanos(client.options().rpcTimeoutMs());
    return by.prove(this::write)
        .thenApply(
            isWritten ->
                // Later it could be another server process, started at the same address.
                isWritten && !by.isOver() && System.nanoTime() - sentNs < longestNs);
  }

  private CompletableFuture<Boolean> write(Assignment assignment) {
    byte[] member = membership.row();
    RegionRequest request = new RegionRequest(random);
    request.putToken(TokenRows.rowIn(assignment.location(), member, TokenRows.PROOF), member);
    return unfenced
        .send(assignment.location(), request)
        .handle((outcome, failure) -> outcome instanceof Outcome.Applied);
  }
}
