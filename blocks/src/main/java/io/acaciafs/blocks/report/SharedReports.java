package io.acaciafs.blocks.report;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.ReplicaEvent;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Incremental reports where several NameNodes hear each DataNode. Its owner stores them. The others
 * store only what a writer may wait for, and keep all of it in memory until the owner says that it
 * is stored; a new owner of the DataNode begins with that. Holds no thread.
 */
public final class SharedReports {
  private static final Logger LOG = LoggerFactory.getLogger(SharedReports.class);

  private final DatanodeRegistry registry;
  private final IncrementalReports reports;
  private final Ownership ownership;
  private final Clock clock;

  public SharedReports(
      DatanodeRegistry registry, IncrementalReports reports, Ownership ownership, Clock clock) {
    this.registry = registry;
    this.reports = reports;
    this.ownership = ownership;
    this.clock = clock;
  }

  /**
   * @return completes when the DataNode may forget it; fails when it is to send it again
   */
  public CompletableFuture<Void> process(Datanode datanode, StorageReceivedDeletedBlocks[] report) {
    CompletableFuture<Void> described =
        registry.describe(
            datanode,
            List.of(report).stream().map(StorageReceivedDeletedBlocks::getStorage).toList());
    if (ownership.isAlone()) {
      return described.thenCompose(nothing -> reports.process(ReplicaEvent.of(datanode, report)));
    }
    return described
        .thenCompose(nothing -> take(datanode, ReplicaEvent.of(datanode, report)))
        .thenRun(this::checkLease)
        .whenComplete(
            (nothing, failure) -> {
              if (failure != null) {
                datanode.stream().failed();
              }
            });
  }

  private CompletableFuture<Void> take(Datanode datanode, List<ReplicaEvent> events) {
    CompletableFuture<Void> admitted = datanode.stream().admit(events, clock.millis());
    return admitted != null
        ? admitted.thenCompose(nothing -> reports.process(events))
        : ownership.listen(datanode).thenCompose(nothing -> reports.processAwaited(events));
  }

  /** Others take what one says whose lease is over for not said. */
  private void checkLease() {
    if (!ownership.leaseHolds()) {
      throw new CompletionException(new IOException("This NameNode has lost its lease"));
    }
  }

  /** Stores what was kept of a DataNode that this NameNode owns, if it is time. */
  public void catchUp(Datanode datanode) {
    List<ReplicaEvent> kept = datanode.stream().drain();
    if (kept == null) {
      return;
    }
    LOG.info("Reports that were kept are stored datanode={} count={}", datanode.id(), kept.size());
    CompletableFuture<Void> doubted =
        datanode.stream().hasDropped()
            ? ownership.doubt(datanode)
            : CompletableFuture.completedFuture(null);
    doubted
        .thenCompose(nothing -> reports.process(kept))
        .whenComplete(
            (nothing, failure) -> {
              if (failure != null) {
                LOG.warn("Kept reports not stored datanode={}", datanode.id(), failure);
              }
              datanode.stream().drained(failure == null);
            });
  }
}
