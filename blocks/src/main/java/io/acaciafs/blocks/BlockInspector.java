package io.acaciafs.blocks;

import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.datanode.StoredReplicaStates;
import io.acaciafs.blocks.placement.PlacementPolicy;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockReplicas;
import io.acaciafs.blocks.record.BlockReplicas.Corruption;
import io.acaciafs.blocks.record.BlockReplicas.Replica;
import io.acaciafs.blocks.record.BlockReplicas.State;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.ReportedReplica;
import io.acaciafs.blocks.redundancy.BlockRecordWriter;
import io.acaciafs.kv.run.TransactionRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.jspecify.annotations.Nullable;

/**
 * Tells what becomes of single blocks, for checks of files. Guards nothing. Safe for use by many
 * threads.
 */
public final class BlockInspector {
  private final TransactionRunner runner;
  private final DatanodeRegistry registry;
  private final StoredReplicaStates replicaStates;
  private final Liveness liveness;
  private final BlockRecordWriter recordWriter;
  private final PlacementPolicy spread;

  BlockInspector(BlockServices services) {
    this.runner = services.context().runner();
    this.registry = services.datanodes().registry();
    this.replicaStates = services.datanodes().replicaStates();
    this.liveness = services.datanodes().liveness();
    this.recordWriter = services.redundancy().recordWriter();
    this.spread = services.placement().policy();
  }

  /** dfs.namenode.replication.min. */
  public int minReplication() {
    return recordWriter.minReplication();
  }

  /**
   * Whether a block's replicas satisfy the policy of dfs.block.replicator.classname.
   *
   * @param nodes that have a replica
   * @param clusterRacks with live nodes
   */
  public BlockPlacementStatus placement(DatanodeInfo[] nodes, int replication, int clusterRacks) {
    return spread.status(nodes, replication, clusterRacks);
  }

  /**
   * @return null where there is no such block
   */
  public @Nullable BlockReplicas inspect(long blockId) {
    BlockRecord record = BlockRows.read(runner.store(), blockId);
    if (record == null) {
      return null;
    }
    List<Replica> replicas = new ArrayList<>();
    if (record.isCommitted()) {
      record.storages().forEach(storage -> addGood(replicas, storage));
      record.reported().stream()
          .filter(replica -> !record.isSuperseded(replica))
          .forEach(replica -> addCorrupt(replicas, replica.storage(), fault(record, replica)));
      record
          .repairState()
          .corrupt()
          .forEach(
              replica -> addCorrupt(replicas, replica.storage(), Corruption.CORRUPTION_REPORTED));
    } else {
      record.written().forEach(storage -> addGood(replicas, storage));
    }
    return new BlockReplicas(record.fileId(), record.replication(), record.isCommitted(), replicas);
  }

  /**
   * Looks anew at what a block needs, and has it done by and by: of use where the cluster has
   * changed in a way that no block has noticed, say by a second rack.
   *
   * @return completes, with whether there is something to do, when that is durable
   */
  public CompletableFuture<Boolean> lookAgain(long blockId) {
    return runner.submit(
        tx -> {
          BlockRecord record = BlockRows.get(tx, blockId);
          return record != null
              && recordWriter.save(tx, blockId, record, record).repairState().isQueued();
        });
  }

  private static Corruption fault(BlockRecord record, ReportedReplica replica) {
    return replica.generationStamp() == record.generationStamp()
        ? Corruption.SIZE_MISMATCH
        : Corruption.GENSTAMP_MISMATCH;
  }

  private void addGood(List<Replica> replicas, int index) {
    State state =
        switch (replicaStates.of(index)) {
          case LIVE -> State.LIVE;
          case LEAVING ->
              node(index).isDecommissioned() ? State.DECOMMISSIONED : State.DECOMMISSIONING;
          case MAINTENANCE ->
              node(index).isInMaintenance() ? State.IN_MAINTENANCE : State.ENTERING_MAINTENANCE;
          case GONE -> null;
        };
    if (state != null) {
      replicas.add(replica(index, state, Corruption.NONE));
    }
  }

  private void addCorrupt(List<Replica> replicas, int index, Corruption corruption) {
    if (replicaStates.isReadable(index)) {
      replicas.add(replica(index, State.CORRUPT, corruption));
    }
  }

  private DatanodeInfo node(int index) {
    return Objects.requireNonNull(replicaStates.datanode(index), "it has a state").info();
  }

  private Replica replica(int index, State state, Corruption corruption) {
    Storage storage = Objects.requireNonNull(registry.storage(index), "it has a replica");
    return new Replica(
        storage.place(),
        state,
        corruption,
        liveness.of(storage.datanode()) != Liveness.State.LIVE,
        !storage.isVerified());
  }
}
