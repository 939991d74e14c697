package io.acaciafs.blocks;

import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.TransactionRunner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;

/**
 * Takes the reports of received and deleted blocks: a transaction a block, so that a conflict runs
 * one block again and not a batch, many at a time, so that they share the store's sync. What one
 * report says of one block is done in its order. Holds no thread.
 */
final class IncrementalReports {
  private static final int BLOCKS_AT_A_TIME = 1000;

  private record Event(Storage storage, ReceivedDeletedBlockInfo info) {}

  private final TransactionRunner runner;
  private final DatanodeRegistry registry;
  private final ReplicaUpdates updates;
  private final ReplicaWaiters waiters;
  private final Executor executor;

  /**
   * @param executor goes on behind a commit, off the thread of the store that completed it
   */
  IncrementalReports(
      TransactionRunner runner,
      DatanodeRegistry registry,
      ReplicaUpdates updates,
      ReplicaWaiters waiters,
      Executor executor) {
    this.runner = runner;
    this.registry = registry;
    this.updates = updates;
    this.waiters = waiters;
    this.executor = executor;
  }

  /**
   * @return completes when all of it is durable
   */
  CompletableFuture<Void> process(Datanode datanode, StorageReceivedDeletedBlocks[] reports) {
    return registry
        .describe(
            datanode, Arrays.stream(reports).map(StorageReceivedDeletedBlocks::getStorage).toList())
        .thenCompose(nothing -> inSlices(byBlock(datanode, reports), 0));
  }

  private static List<List<Event>> byBlock(
      Datanode datanode, StorageReceivedDeletedBlocks[] reports) {
    Map<Long, List<Event>> events = new LinkedHashMap<>();
    for (StorageReceivedDeletedBlocks report : reports) {
      Storage storage = datanode.storage(report.getStorage().getStorageID());
      for (ReceivedDeletedBlockInfo info : report.getBlocks()) {
        events
            .computeIfAbsent(info.getBlock().getBlockId(), id -> new ArrayList<>(1))
            .add(new Event(storage, info));
      }
    }
    return List.copyOf(events.values());
  }

  private CompletableFuture<Void> inSlices(List<List<Event>> blocks, int from) {
    int to = Math.min(blocks.size(), from + BLOCKS_AT_A_TIME);
    CompletableFuture<Void> slice =
        CompletableFuture.allOf(
            blocks.subList(from, to).stream().map(this::inOrder).toArray(CompletableFuture[]::new));
    return to == blocks.size()
        ? slice
        : slice.thenComposeAsync(nothing -> inSlices(blocks, to), executor);
  }

  private CompletableFuture<Void> inOrder(List<Event> events) {
    CompletableFuture<Void> done = process(events.get(0));
    for (Event event : events.subList(1, events.size())) {
      done = done.thenComposeAsync(nothing -> process(event), executor);
    }
    return done;
  }

  private CompletableFuture<Void> process(Event event) {
    Storage storage = event.storage();
    Block block = event.info().getBlock();
    long blockId = block.getBlockId();
    return switch (event.info().getStatus()) {
      case RECEIVING_BLOCK -> CompletableFuture.completedFuture(null); // it was expected
      case RECEIVED_BLOCK ->
          received(
              storage,
              blockId,
              new ReportedReplica(storage.index(), block.getNumBytes(), block.getGenerationStamp()),
              event.info().getDelHints());
      case DELETED_BLOCK ->
          runner.submit(
              tx -> {
                updates.deleted(tx, storage, blockId);
                return null;
              });
    };
  }

  private CompletableFuture<Void> received(
      Storage storage, long blockId, ReportedReplica replica, String deleteHint) {
    Datanode hinted = deleteHint == null ? null : registry.datanode(deleteHint);
    return runner
        .submit(
            tx -> updates.finalized(tx, storage, blockId, replica, storageOf(tx, blockId, hinted)))
        .thenAccept(
            added -> {
              if (added) {
                waiters.arrived(blockId);
              }
            });
  }

  /** The balancer's hint names a DataNode; 0 where that has no replica. */
  private int storageOf(Transaction tx, long blockId, Datanode hinted) {
    BlockRecord record = hinted == null ? null : BlockRows.peek(tx, blockId);
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
