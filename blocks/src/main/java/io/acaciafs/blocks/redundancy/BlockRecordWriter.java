package io.acaciafs.blocks.redundancy;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.StoredReplicaStates;
import io.acaciafs.blocks.placement.PlacementPolicy;
import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.RedundancyCounters;
import io.acaciafs.blocks.record.RepairState;
import io.acaciafs.blocks.record.ReportedReplica;
import io.acaciafs.blocks.settings.RepairSettings;
import io.acaciafs.kv.Transaction;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Writes a block's row together with all that follows from its new state: replicas that are of no
 * use any more leave it and are deleted, the block moves to where it belongs in the repair queue,
 * and counters follow. Each block stands in at most one queue, and its row says in which. Safe for
 * use by many threads.
 */
public final class BlockRecordWriter {
  private static final byte[] NOTHING = new byte[0];

  private final StoredReplicaStates replicaStates;
  private final Invalidations invalidations;
  private final Clock clock;
  private volatile RepairSettings settings;
  private final IntSupplier clusterRacks;
  private final int minReplication;
  private final PlacementPolicy spread;

  /**
   * @param clusterRacks how many racks have a live DataNode
   * @param minReplication replicas that make a committed block complete
   */
  public BlockRecordWriter(
      StoredReplicaStates replicaStates,
      Invalidations invalidations,
      Clock clock,
      RepairSettings settings,
      IntSupplier clusterRacks,
      int minReplication,
      PlacementPolicy spread) {
    this.replicaStates = replicaStates;
    this.invalidations = invalidations;
    this.clock = clock;
    this.settings = settings;
    this.clusterRacks = clusterRacks;
    this.minReplication = minReplication;
    this.spread = spread;
  }

  public int minReplication() {
    return minReplication;
  }

  /** Of a block that is being written. */
  public int finishedLive(BlockRecord record) {
    return Redundancy.finishedLive(record, replicaStates);
  }

  public Redundancy redundancy(BlockRecord record) {
    return Redundancy.of(
        record,
        replicaStates,
        spread,
        clusterRacks.getAsInt(),
        settings.leaving().maintenanceMinReplication());
  }

  /**
   * Whether a further replica of a block would spread it better.
   *
   * @param nodes of its replicas
   */
  public boolean isBetterWith(Datanode target, List<Datanode> nodes, int replication) {
    return spread.improves(target, nodes, replication, clusterRacks.getAsInt());
  }

  /**
   * Writes what has changed; nothing where nothing has.
   *
   * @param before as the transaction read it, guarded
   * @return the record as it is written
   */
  public BlockRecord save(Transaction tx, long blockId, BlockRecord before, BlockRecord changed) {
    BlockRecord judged = changed.completedBy(minReplication);
    BlockRecord kept = judged.isCommitted() ? dropSpare(tx, blockId, judged) : judged;
    BlockRecord after = kept.withRepairState(repairStateOf(before, kept));
    if (after.equals(before)) {
      return after;
    }
    RepairState old = before.repairState();
    RepairState now = after.repairState();
    if (old.queue() != now.queue()) {
      leaveQueue(tx, blockId, old);
      if (now.queue() != RepairQueue.NONE) {
        tx.put(BlockKeys.repair(now.queue(), blockId), NOTHING);
      }
    }
    if (old.expectedUntilMs() != now.expectedUntilMs()) {
      leavePending(tx, blockId, old);
      if (now.expectedUntilMs() != 0) {
        tx.put(BlockKeys.pendingRepair(now.expectedUntilMs(), blockId), NOTHING);
      }
    }
    RedundancyCounters.move(tx, before, after);
    BlockRows.put(tx, blockId, after);
    return after;
  }

  /** Whether {@link #save} of the record as it is stored would change anything. */
  public boolean isSettled(BlockRecord stored) {
    return stored.withRepairState(repairStateOf(stored, stored)).equals(stored)
        && (!stored.isCommitted() || spare(stored).isEmpty());
  }

  /** The block's row is removed, and with it all that belongs to it here. */
  public void forget(Transaction tx, long blockId, BlockRecord record) {
    leaveQueue(tx, blockId, record.repairState());
    leavePending(tx, blockId, record.repairState());
    RedundancyCounters.move(tx, record, null);
  }

  private static void leaveQueue(Transaction tx, long blockId, RepairState old) {
    if (old.queue() != RepairQueue.NONE) {
      tx.delete(BlockKeys.repair(old.queue(), blockId));
    }
  }

  private static void leavePending(Transaction tx, long blockId, RepairState old) {
    if (old.expectedUntilMs() != 0) {
      tx.delete(BlockKeys.pendingRepair(old.expectedUntilMs(), blockId));
    }
  }

  private BlockRecord dropSpare(Transaction tx, long blockId, BlockRecord record) {
    List<ReportedReplica> spare = spare(record);
    if (spare.isEmpty() || !invalidations.areCertain(tx, record)) {
      return record;
    }
    List<ReportedReplica> others = new ArrayList<>(record.reported());
    others.removeAll(spare);
    RepairState repairState = record.repairState();
    for (ReportedReplica replica : spare) {
      repairState = repairState.withoutCorrupt(replica.storage());
    }
    BlockRecord kept = record.with(record.storages(), record.expected(), others, repairState);
    for (ReportedReplica replica : spare) {
      invalidations.queue(tx, replica, blockId, kept);
      BlockRows.removeFromIndex(tx, replica.storage(), blockId);
    }
    return kept;
  }

  /**
   * Replicas with a wrong length or an old stamp may go as soon as one good replica is there;
   * corrupt ones, from which something might still be saved, when enough good ones are.
   */
  private List<ReportedReplica> spare(BlockRecord record) {
    if (record.reported().isEmpty() && record.repairState().corrupt().isEmpty()) {
      return List.of();
    }
    List<ReportedReplica> spare = new ArrayList<>(record.reported());
    if (redundancy(record).isEnough()) {
      spare.addAll(record.repairState().corrupt());
    }
    spare.removeIf(replica -> !invalidations.canSpare(record, replica));
    return spare;
  }

  private RepairState repairStateOf(BlockRecord before, BlockRecord record) {
    RepairState repairState = record.repairState();
    if (!record.isCommitted()) {
      return new RepairState(repairState.corrupt(), RepairQueue.NONE, 0, 0, List.of());
    }
    RepairQueue queue = redundancy(record).queue();
    if (queue == RepairQueue.MISSING && !record.isComplete()) {
      queue = RepairQueue.NONE; // it has never been readable: its file is still open
    }
    int hint = queue == RepairQueue.SURPLUS ? repairState.deleteHint() : 0;
    List<Integer> copying =
        repairState.copying().stream().filter(record.expected()::contains).distinct().toList();
    return new RepairState(
        repairState.corrupt(), queue, expectedUntilMs(before, record), hint, copying);
  }

  /** From now on these hold. */
  public void configure(RepairSettings newSettings) {
    settings = newSettings;
  }

  /** How long an expected replica is waited for. */
  public long pendingTimeoutMs() {
    return settings.copies().pendingTimeoutMs();
  }

  private long expectedUntilMs(BlockRecord before, BlockRecord record) {
    if (record.expected().isEmpty()) {
      return 0;
    }
    long untilMs = record.repairState().expectedUntilMs();
    boolean expectsMore = !before.expected().containsAll(record.expected());
    return untilMs == 0 || expectsMore
        ? clock.millis() + settings.copies().pendingTimeoutMs()
        : untilMs;
  }
}
