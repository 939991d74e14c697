package io.acaciafs.blocks.repair;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.datanode.StoredReplicaStates;
import io.acaciafs.blocks.placement.ExcessReplicaChooser;
import io.acaciafs.blocks.placement.PlacementPolicy;
import io.acaciafs.blocks.placement.PlacementServices;
import io.acaciafs.blocks.placement.StoragePolicyRules;
import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.ReportedReplica;
import io.acaciafs.blocks.redundancy.BlockRecordWriter;
import io.acaciafs.blocks.redundancy.Invalidations;
import io.acaciafs.blocks.redundancy.Redundancy;
import io.acaciafs.blocks.redundancy.RedundancyServices;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.blocks.settings.RepairSettings;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.InFlight;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Deletes replicas of blocks that have too many. A replica leaves its block's row in the
 * transaction that queues its deletion. As long as one of a block's DataNodes has not named its
 * replicas since it was started, nothing is deleted: the others might be all there is. Run by one
 * thread.
 */
public final class ExcessRedundancy {
  private static final int BLOCKS_A_ROUND = 10_000;

  private final TransactionRunner runner;
  private final DatanodeRegistry registry;
  private final StoredReplicaStates replicaStates;
  private final BlockRecordWriter recordWriter;
  private final Invalidations invalidations;
  private final StoragePolicyRules policies;
  private final Clock clock;
  private final RepairSettings settings;
  private final PlacementPolicy spread;
  private KeyRange rest = BlockKeys.repairsIn(RepairQueue.SURPLUS);

  public ExcessRedundancy(
      BlockContext context,
      DatanodeServices datanodes,
      RedundancyServices redundancy,
      PlacementServices placement) {
    this.runner = context.runner();
    this.registry = datanodes.registry();
    this.replicaStates = datanodes.replicaStates();
    this.recordWriter = redundancy.recordWriter();
    this.invalidations = redundancy.invalidations();
    this.policies = placement.rules();
    this.clock = context.clock();
    this.settings = context.repairSettings();
    this.spread = placement.policy();
  }

  /** One round. Waits until it is durable. */
  void run() throws IOException {
    InFlight inFlight = new InFlight(runner);
    int count = 0;
    KeyRange behind = rest;
    try (Scan scan = runner.store().scan(rest)) {
      for (; count < BLOCKS_A_ROUND && scan.hasNext(); count++) {
        Key last = scan.next().key();
        behind = rest.startingAfter(last.bytes());
        long blockId = BlockKeys.blockIdInRepair(last);
        inFlight.submit(
            tx -> {
              remove(tx, blockId);
              return null;
            });
      }
    }
    inFlight.await();
    rest = count < BLOCKS_A_ROUND ? BlockKeys.repairsIn(RepairQueue.SURPLUS) : behind;
  }

  private void remove(Transaction tx, long blockId) {
    BlockRecord record = BlockRows.get(tx, blockId);
    if (record == null) {
      return;
    }
    BlockRecord changed = record;
    List<Storage> surplus = surplus(record);
    if (!surplus.isEmpty() && !invalidations.areCertain(tx, record)) {
      return; // memory will follow the rows in a moment
    }
    if (!surplus.isEmpty()) {
      List<Integer> kept = new ArrayList<>(record.storages());
      surplus.forEach(storage -> kept.remove((Integer) storage.index()));
      changed = record.with(kept, record.expected(), record.reported(), record.repairState());
    }
    BlockRecord saved = recordWriter.save(tx, blockId, record, changed);
    for (Storage storage : surplus) {
      invalidations.queue(
          tx,
          new ReportedReplica(storage.index(), record.numBytes(), record.generationStamp()),
          blockId,
          saved);
      BlockRows.removeFromIndex(tx, storage.index(), blockId);
    }
  }

  private List<Storage> surplus(BlockRecord record) {
    Map<Datanode, Storage> live = new LinkedHashMap<>();
    for (int index : Redundancy.liveStorages(record, replicaStates)) {
      if (!replicaStates.isVerified(index)) {
        return List.of();
      }
      Storage storage = Objects.requireNonNull(registry.storage(index), "it is live");
      live.putIfAbsent(storage.datanode(), storage);
    }
    return ExcessReplicaChooser.choose(
        spread,
        live.values(),
        record.replication(),
        StoragePolicyRules.excess(policies.policyOf(record), record.replication(), live.values()),
        record.repairState().deleteHint(),
        clock.millis() - settings.maxSilenceForDeleteMs());
  }
}
