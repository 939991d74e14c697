package io.acaciafs.blocks.report;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.ReplicaEvent;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.redundancy.ReplicaUpdates;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.TransactionRunner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.jspecify.annotations.Nullable;

/**
 * Takes the reports of received and deleted blocks: a transaction a block, so that a conflict runs
 * one block again and not a batch, many at a time, so that they share the store's sync. What one
 * report says of one block is done in its order. Holds no thread.
 */
public final class IncrementalReports {
  private static final int BLOCKS_AT_A_TIME = 1000;

  private final TransactionRunner runner;
  private final DatanodeRegistry registry;
  private final ReplicaUpdates updates;
  private final ReplicaWaiters waiters;
  private final Ownership ownership;
  private final Executor executor;

  /**
   * @param executor goes on behind a commit, off the thread of the store that completed it
   */
  public IncrementalReports(
      TransactionRunner runner,
      DatanodeRegistry registry,
      ReplicaUpdates updates,
      ReplicaWaiters waiters,
      Ownership ownership,
      Executor executor) {
    this.runner = runner;
    this.registry = registry;
    this.updates = updates;
    this.waiters = waiters;
    this.ownership = ownership;
    this.executor = executor;
  }

  /**
   * @param events of a DataNode that this NameNode owns
   * @return completes when all of it is durable
   */
  CompletableFuture<Void> process(List<ReplicaEvent> events) {
    return inSlices(byBlock(events), 0);
  }

  private static List<List<ReplicaEvent>> byBlock(List<ReplicaEvent> events) {
    Map<Long, List<ReplicaEvent>> byBlock = new LinkedHashMap<>();
    for (ReplicaEvent event : events) {
      byBlock.computeIfAbsent(event.blockId(), id -> new ArrayList<>(1)).add(event);
    }
    return List.copyOf(byBlock.values());
  }

  private CompletableFuture<Void> inSlices(List<List<ReplicaEvent>> blocks, int from) {
    int to = Math.min(blocks.size(), from + BLOCKS_AT_A_TIME);
    CompletableFuture<Void> slice =
        CompletableFuture.allOf(
            blocks.subList(from, to).stream().map(this::inOrder).toArray(CompletableFuture[]::new));
    return to == blocks.size()
        ? slice
        : slice.thenComposeAsync(nothing -> inSlices(blocks, to), executor);
  }

  private CompletableFuture<Void> inOrder(List<ReplicaEvent> events) {
    CompletableFuture<Void> done = process(events.get(0));
    for (ReplicaEvent event : events.subList(1, events.size())) {
      done = done.thenComposeAsync(nothing -> process(event), executor);
    }
    return done;
  }

  private CompletableFuture<Void> process(ReplicaEvent event) {
    Storage storage = event.storage();
    return switch (event.info().getStatus()) {
      case RECEIVING_BLOCK -> CompletableFuture.completedFuture(null); // it was expected
      case RECEIVED_BLOCK -> received(event);
      case DELETED_BLOCK ->
          ownership.submit(
              storage.datanode(),
              tx -> {
                updates.deleted(tx, storage, event.blockId());
                return null;
              });
    };
  }

  private CompletableFuture<Void> received(ReplicaEvent event) {
    String deleteHint = event.info().getDelHints();
    Datanode hinted = deleteHint == null ? null : registry.datanode(deleteHint);
    long blockId = event.blockId();
    return ownership
        .submit(
            event.storage().datanode(),
            tx ->
                updates.finalized(
                    tx, event.storage(), blockId, event.replica(), storageOf(tx, blockId, hinted)))
        .thenAccept(
            added -> {
              if (added || !ownership.isAlone()) { // another NameNode may have been first
                waiters.arrived(blockId);
              }
            });
  }

  /**
   * Of what a DataNode reported that this NameNode does not own, takes in what a writer may wait
   * for: replicas of blocks that are not complete, where their writer put them. Nothing else can
   * have become of such a replica meanwhile, so this is true however late it comes.
   *
   * @return completes when all of it is durable
   */
  CompletableFuture<Void> processAwaited(List<ReplicaEvent> events) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (ReplicaEvent event : events) {
      if (event.info().getStatus() == BlockStatus.RECEIVED_BLOCK) {
        all.add(
            runner
                .submit(
                    tx -> updates.awaited(tx, event.storage(), event.blockId(), event.replica()))
                .thenRun(() -> waiters.arrived(event.blockId())));
      }
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  /** The balancer's hint names a DataNode; 0 where that has no replica. */
  private int storageOf(Transaction tx, long blockId, @Nullable Datanode hinted) {
    BlockRecord record = hinted == null ? null : BlockRows.read(tx.unguarded(), blockId);
    return record == null
        ? 0
        : record.storages().stream()
            .filter(
                index -> {
                  Storage storage = registry.storage(index);
                  return storage != null && storage.datanode() == hinted;
                })
            .findFirst()
            .orElse(0);
  }
}
