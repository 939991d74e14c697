package io.acaciafs.blocks.record;

import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of a block's row when a replica is reported that is not finalized. It is of no use
 * to a committed block if it has an old stamp, or if nobody writes it any more: with the very stamp
 * and the state of a crash its bytes are not to be trusted. Else it may be the one that its file is
 * waiting for. Source of the rules: HDFS 3.5's BlockManager.checkReplicaCorrupt.
 *
 * @param isAbandoned nobody writes it any more (RWR)
 */
public record UnfinishedReplica(ReportedReplica replica, boolean isAbandoned, SameNode sameNode) {

  /**
   * @return the same record where nothing follows
   */
  public BlockRecord applyTo(BlockRecord record) {
    boolean isOld = replica.generationStamp() < record.generationStamp();
    if (isLateWord(record) || (isOld ? isOldNews(record) : isNoNews(record))) {
      return record;
    }
    List<ReportedReplica> others = new ArrayList<>(record.reported());
    others.removeIf(other -> other.storage() == replica.storage());
    List<Integer> good = new ArrayList<>(record.storages());
    good.remove((Integer) replica.storage());
    RepairState repairState = record.repairState().withoutCorrupt(replica.storage());
    if (isOld) {
      others.add(replica);
      return record.isCommitted()
          ? record.settled(good, others, repairState, sameNode)
          : record.with(good, record.expected(), others, repairState);
    }
    return record.isComplete()
        ? record.with(good, elsewhere(record), others, repairState.withCorrupt(replica))
        : record.with(good, awaited(record), others, repairState);
  }

  /** It was finalized since, and that is known. */
  private boolean isLateWord(BlockRecord record) {
    long stamp = replica.generationStamp();
    return !isAbandoned
        && (record.storages().contains(replica.storage()) && stamp == record.generationStamp()
            || record.reported().stream()
                .anyMatch(
                    known ->
                        known.storage() == replica.storage() && known.generationStamp() == stamp));
  }

  private boolean isOldNews(BlockRecord record) {
    return record.reported().contains(replica) || record.isSuperseded(replica);
  }

  private boolean isNoNews(BlockRecord record) {
    boolean isCrashed = isAbandoned && replica.generationStamp() == record.generationStamp();
    return record.repairState().isCorrupt(replica) || record.isComplete() && !isCrashed;
  }

  private List<Integer> elsewhere(BlockRecord record) {
    List<Integer> expected = new ArrayList<>(record.expected());
    expected.removeIf(other -> sameNode.test(other, replica.storage()));
    return expected;
  }

  private List<Integer> awaited(BlockRecord record) {
    if (record.expected().contains(replica.storage())) {
      return record.expected();
    }
    List<Integer> expected = elsewhere(record);
    expected.add(replica.storage());
    return expected;
  }
}
