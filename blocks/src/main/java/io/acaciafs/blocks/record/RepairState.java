package io.acaciafs.blocks.record;

import io.acaciafs.blocks.proto.BlockRow;
import io.acaciafs.blocks.proto.RepairQueue;
import java.util.ArrayList;
import java.util.List;

/**
 * What repair knows of a block; part of its {@link BlockRecord}. It says which rows elsewhere
 * belong to the block, so that a transaction that guards the block's row can move or remove them.
 *
 * @param corrupt replicas with wrong bytes; they are in no other list of the record
 * @param queue where the block stands in the repair queue
 * @param expectedUntilMs when the expected replicas are given up; 0 where none are
 * @param deleteHint the storage whose replica should go first; 0 where it does not matter
 * @param copying which of the expected replicas are copies that others send there: they have
 *     nothing of the block that its writer, or its recovery, could rely on
 */
public record RepairState(
    List<ReportedReplica> corrupt,
    RepairQueue queue,
    long expectedUntilMs,
    int deleteHint,
    List<Integer> copying) {
  public static final RepairState NONE =
      new RepairState(List.of(), RepairQueue.NONE, 0, 0, List.of());

  public RepairState {
    corrupt = List.copyOf(corrupt);
    copying = List.copyOf(copying);
  }

  /** Whether it is this replica, or a later one in the same place, that was found corrupt. */
  public boolean isCorrupt(ReportedReplica replica) {
    return corrupt.stream()
        .anyMatch(
            known ->
                known.storage() == replica.storage()
                    && known.generationStamp() >= replica.generationStamp());
  }

  public boolean isQueued() {
    return queue != RepairQueue.NONE;
  }

  RepairState withCorrupt(ReportedReplica replica) {
    List<ReportedReplica> all = new ArrayList<>(corrupt);
    all.add(replica);
    return new RepairState(all, queue, expectedUntilMs, deleteHint, copying);
  }

  /**
   * @return this where no replica there was corrupt
   */
  public RepairState withoutCorrupt(int storage) {
    List<ReportedReplica> others = new ArrayList<>(corrupt);
    return others.removeIf(replica -> replica.storage() == storage)
        ? new RepairState(others, queue, expectedUntilMs, deleteHint, copying)
        : this;
  }

  /** What is expected gets its time once more. */
  public RepairState awaitingAnew() {
    return new RepairState(corrupt, queue, 0, deleteHint, copying);
  }

  public RepairState in(RepairQueue newQueue) {
    return new RepairState(corrupt, newQueue, expectedUntilMs, deleteHint, copying);
  }

  public RepairState withDeleteHint(int storage) {
    return new RepairState(corrupt, queue, expectedUntilMs, storage, copying);
  }

  /** Copies are on their way there as well. */
  public RepairState withCopying(List<Integer> targets) {
    List<Integer> all = new ArrayList<>(copying);
    all.addAll(targets);
    return new RepairState(corrupt, queue, expectedUntilMs, deleteHint, all);
  }

  void encodeTo(BlockRow.Builder row) {
    corrupt.forEach(replica -> row.addCorrupt(replica.encode()));
    row.addAllCopying(copying);
    row.setQueue(queue).setExpectedUntilMs(expectedUntilMs).setDeleteHint(deleteHint);
  }

  static RepairState decode(BlockRow row) {
    if (row.getCorruptCount() == 0
        && row.getQueue() == RepairQueue.NONE
        && row.getExpectedUntilMs() == 0
        && row.getDeleteHint() == 0
        && row.getCopyingCount() == 0) {
      return NONE;
    }
    return new RepairState(
        row.getCorruptList().stream().map(ReportedReplica::decode).toList(),
        row.getQueue(),
        row.getExpectedUntilMs(),
        row.getDeleteHint(),
        row.getCopyingList());
  }
}
