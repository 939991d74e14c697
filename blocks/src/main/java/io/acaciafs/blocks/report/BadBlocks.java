package io.acaciafs.blocks.report;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.redundancy.ReplicaUpdates;
import io.acaciafs.kv.run.TransactionRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the word of clients and DataNodes that replicas have wrong bytes. From then on these do not
 * count and nobody is sent to them; they are deleted when there are enough good ones. Holds no
 * thread.
 */
public final class BadBlocks {
  private static final Logger LOG = LoggerFactory.getLogger(BadBlocks.class);

  private final TransactionRunner runner;
  private final DatanodeRegistry registry;
  private final ReplicaUpdates updates;

  public BadBlocks(TransactionRunner runner, DatanodeRegistry registry, ReplicaUpdates updates) {
    this.runner = runner;
    this.registry = registry;
    this.updates = updates;
  }

  /**
   * @param blocks each with the locations of its bad replicas
   * @return completes when all is durable
   */
  public CompletableFuture<Void> report(LocatedBlock[] blocks) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (LocatedBlock block : blocks) {
      DatanodeInfo[] locations = block.getLocations();
      String[] storageIds = block.getStorageIDs();
      for (int i = 0; i < locations.length; i++) {
        Datanode node = registry.datanode(locations[i].getDatanodeUuid());
        String storageId = storageIds == null || i >= storageIds.length ? null : storageIds[i];
        if (node != null) {
          all.add(report(block, node, storageId));
        }
      }
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> report(
      LocatedBlock block, Datanode node, @Nullable String storageId) {
    long blockId = block.getBlock().getBlockId();
    long generationStamp = block.getBlock().getGenerationStamp();
    LOG.warn("Replica reported as corrupt block={} datanode={}", block.getBlock(), node.id());
    Storage named = storageId == null ? null : node.storage(storageId);
    return runner.submit(
        tx -> {
          // A replica that has moved within its node is meant wherever it is now.
          for (Storage storage : named == null ? node.storages() : List.of(named)) {
            updates.corrupt(tx, storage.index(), blockId, generationStamp);
          }
          return null;
        });
  }
}
