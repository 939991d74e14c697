package io.acaciafs.blocks.redundancy;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.StoredReplicaStates;
import io.acaciafs.blocks.placement.PlacementPolicy;
import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.ReportedReplica;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How many replicas a committed block has and needs, counted in nodes, and so which queue it
 * belongs to. Source of the rules: HDFS 3.5's LowRedundancyBlocks and BlockManager.
 *
 * @param wanted live replicas that it should have
 * @param isSpread the live ones satisfy the placement policy
 * @param hasWrong replicas with wrong bytes, a wrong length or an old stamp are there as well
 */
public record Redundancy(
    int replication, int wanted, Counts counts, boolean isSpread, boolean hasWrong) {

  /**
   * How many replicas there are.
   *
   * @param live good replicas on nodes in service
   * @param leaving good replicas on nodes that are (being) decommissioned
   * @param maintenance good replicas on nodes in or before maintenance
   * @param pending expected replicas on nodes that are alive
   */
  public record Counts(int live, int leaving, int maintenance, int pending) {}

  static Redundancy of(
      BlockRecord record,
      StoredReplicaStates replicaStates,
      PlacementPolicy spread,
      int clusterRacks,
      int maintenanceMinReplication) {
    Set<Datanode> live = new HashSet<>();
    Set<Datanode> leaving = new HashSet<>();
    Set<Datanode> maintenance = new HashSet<>();
    for (int storage : record.storages()) {
      Datanode node = replicaStates.datanode(storage);
      switch (replicaStates.of(storage)) {
        case LIVE -> live.add(node);
        case LEAVING -> leaving.add(node);
        case MAINTENANCE -> maintenance.add(node);
        case GONE -> {}
      }
    }
    int pending = 0;
    for (int storage : record.expected()) {
      pending += replicaStates.of(storage) == StoredReplicaStates.StoredReplicaState.LIVE ? 1 : 0;
    }
    int wanted =
        Math.max(
            record.replication() - maintenance.size(),
            Math.min(maintenanceMinReplication, record.replication()));
    return new Redundancy(
        record.replication(),
        wanted,
        new Counts(live.size(), leaving.size(), maintenance.size(), pending),
        maintenance.size() > 0 || spread.lack(live, record.replication(), clusterRacks) == 0,
        !record.repairState().corrupt().isEmpty()
            || record.reported().stream()
                .anyMatch(replica -> replica.generationStamp() <= record.generationStamp()));
  }

  /** How many more replicas should be made, beyond those on their way. */
  public int missing() {
    int expected = counts.live + counts.pending;
    if (expected < wanted) {
      return wanted - expected;
    }
    return isEnough() && !isSpread && counts.pending == 0 ? 1 : 0;
  }

  public boolean isEnough() {
    return counts.live >= wanted;
  }

  RepairQueue queue() {
    int live = counts.live;
    int pending = counts.pending;
    if (live >= wanted) {
      if (live > replication || hasWrong) {
        return RepairQueue.SURPLUS;
      }
      return isSpread || pending > 0 ? RepairQueue.NONE : RepairQueue.BADLY_DISTRIBUTED;
    }
    if (live + pending >= wanted || live == 0 && pending > 0) {
      return RepairQueue.NONE; // looked at again when the time of what is pending is over
    }
    if (live == 0) {
      return counts.leaving + counts.maintenance > 0
          ? RepairQueue.HIGHEST_PRIORITY
          : RepairQueue.MISSING;
    }
    if (live == 1) {
      return RepairQueue.HIGHEST_PRIORITY;
    }
    return live * 3 < wanted ? RepairQueue.VERY_LOW_REDUNDANCY : RepairQueue.LOW_REDUNDANCY;
  }

  /**
   * How many nodes in service have finished a replica of a block that is still being written: as
   * good as any, for all that is known.
   */
  static int finishedLive(BlockRecord record, StoredReplicaStates replicaStates) {
    Set<Datanode> nodes = new HashSet<>();
    for (ReportedReplica replica : record.reported()) {
      if (replica.generationStamp() == record.generationStamp()
          && replicaStates.of(replica.storage()) == StoredReplicaStates.StoredReplicaState.LIVE) {
        nodes.add(replicaStates.datanode(replica.storage()));
      }
    }
    return nodes.size();
  }

  /** The storages of a record whose replicas count as live. */
  public static List<Integer> liveStorages(BlockRecord record, StoredReplicaStates replicaStates) {
    List<Integer> live = new ArrayList<>();
    for (int storage : record.storages()) {
      if (replicaStates.of(storage) == StoredReplicaStates.StoredReplicaState.LIVE) {
        live.add(storage);
      }
    }
    return live;
  }
}
