package io.acaciafs.blocks;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.proto.BlockRow;
import io.acaciafs.kv.StoreException;
import java.util.ArrayList;
import java.util.List;

/**
 * What is stored of a block, and how it changes. Immutable; a change gives a new record and names
 * the replicas that left it, whose deletion the same transaction must queue.
 *
 * <p>While the block is under construction, finalized replicas wait in {@code reported}: nobody
 * knows yet which length is right. {@link #committed} sorts them into {@code storages}; the others
 * leave as soon as one good replica is there, never before.
 *
 * @param generationStamp the highest one ever issued for this block
 * @param replication how many replicas are wanted
 * @param storages indexes of storages with a finalized replica of the right length and stamp; only
 *     of a committed block
 * @param expected storages chosen for writing; of a committed block those not heard of since
 * @param reported finalized replicas not known to be right
 */
record BlockRecord(
    long fileId,
    long generationStamp,
    long numBytes,
    int replication,
    boolean isCommitted,
    List<Integer> storages,
    List<Integer> expected,
    List<ReportedReplica> reported) {

  /**
   * @param dropped replicas that the record held, or was offered, and that are to be deleted
   * @param added a finalized replica is in the record that was not there before
   */
  record Change(BlockRecord record, List<ReportedReplica> dropped, boolean added) {}

  BlockRecord {
    storages = List.copyOf(storages);
    expected = List.copyOf(expected);
    reported = List.copyOf(reported);
  }

  static BlockRecord allocated(
      long fileId, long generationStamp, int replication, List<Integer> expected) {
    return new BlockRecord(
        fileId, generationStamp, 0, replication, false, List.of(), expected, List.of());
  }

  BlockRecord withReplication(int wanted) {
    return new BlockRecord(
        fileId, generationStamp, numBytes, wanted, isCommitted, storages, expected, reported);
  }

  BlockRecord withExpected(List<Integer> chosen) {
    return new BlockRecord(
        fileId, generationStamp, numBytes, replication, isCommitted, storages, chosen, reported);
  }

  /** The block got its final length: the replicas reported so far are judged. */
  Change committed(long lengthBytes, SameNode sameNode) {
    BlockRecord bare =
        new BlockRecord(
            fileId, generationStamp, lengthBytes, replication, true, storages, expected, List.of());
    List<Integer> good = new ArrayList<>(storages);
    List<ReportedReplica> bad = new ArrayList<>();
    for (ReportedReplica replica : reported) {
      if (bare.isGood(replica)) {
        good.add(replica.storage());
      } else {
        bad.add(replica);
      }
    }
    return bare.settled(good, bad, sameNode, false);
  }

  /** A finalized replica was reported. */
  Change withReplica(ReportedReplica replica, SameNode sameNode) {
    List<ReportedReplica> others = new ArrayList<>(reported);
    others.removeIf(other -> other.storage() == replica.storage());
    List<Integer> good = new ArrayList<>(storages);
    boolean known = good.remove((Integer) replica.storage());
    if (!isCommitted) {
      others.add(replica);
      return new Change(with(good, expected, others), List.of(), !reported.contains(replica));
    }
    if (isGood(replica)) {
      good.add(replica.storage());
    } else {
      others.add(replica);
    }
    return settled(good, others, sameNode, isGood(replica) && !known);
  }

  /**
   * A replica is no longer on its storage.
   *
   * @return this record where it knew of no such replica
   */
  BlockRecord withoutReplica(int storage, SameNode sameNode) {
    List<Integer> good = new ArrayList<>(storages);
    List<Integer> awaited = new ArrayList<>(expected);
    List<ReportedReplica> others = new ArrayList<>(reported);
    boolean changed = good.remove((Integer) storage);
    changed |= others.removeIf(replica -> replica.storage() == storage);
    if (isCommitted) {
      changed |= awaited.removeIf(other -> sameNode.test(other, storage));
    }
    return changed ? with(good, awaited, others) : this;
  }

  /** Whether the replica has the length and the stamp of this committed block. */
  boolean isGood(ReportedReplica replica) {
    return isCommitted
        && replica.numBytes() == numBytes
        && replica.generationStamp() == generationStamp;
  }

  /** Whether a replica of this kind may be deleted without losing the last one. */
  boolean canSpare(ReportedReplica replica) {
    return isCommitted
        && replica.generationStamp() <= generationStamp
        && storages.stream().anyMatch(storage -> storage != replica.storage());
  }

  byte[] encode() {
    BlockRow.Builder row =
        BlockRow.newBuilder()
            .setFileId(fileId)
            .setGenerationStamp(generationStamp)
            .setNumBytes(numBytes)
            .setReplication(replication)
            .setState(isCommitted ? BlockRow.State.COMMITTED : BlockRow.State.UNDER_CONSTRUCTION)
            .addAllStorages(storages)
            .addAllExpected(expected);
    for (ReportedReplica replica : reported) {
      row.addReportedBuilder()
          .setStorage(replica.storage())
          .setNumBytes(replica.numBytes())
          .setGenerationStamp(replica.generationStamp());
    }
    return row.build().toByteArray();
  }

  static BlockRecord decode(byte[] bytes) {
    try {
      BlockRow row = BlockRow.parseFrom(bytes);
      return new BlockRecord(
          row.getFileId(),
          row.getGenerationStamp(),
          row.getNumBytes(),
          row.getReplication(),
          row.getState() == BlockRow.State.COMMITTED,
          row.getStoragesList(),
          row.getExpectedList(),
          row.getReportedList().stream()
              .map(
                  replica ->
                      new ReportedReplica(
                          replica.getStorage(),
                          replica.getNumBytes(),
                          replica.getGenerationStamp()))
              .toList());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a block row", e);
    }
  }

  /** Drops what is wrong as far as a good replica remains; forgets to expect what has come. */
  private Change settled(
      List<Integer> good, List<ReportedReplica> bad, SameNode sameNode, boolean added) {
    List<Integer> awaited = new ArrayList<>(expected);
    awaited.removeIf(
        storage ->
            good.stream().anyMatch(other -> sameNode.test(storage, other))
                || bad.stream().anyMatch(other -> sameNode.test(storage, other.storage())));
    BlockRecord settled = with(good, awaited, List.of());
    List<ReportedReplica> dropped = bad.stream().filter(settled::canSpare).toList();
    List<ReportedReplica> kept = bad.stream().filter(one -> !dropped.contains(one)).toList();
    return new Change(with(good, awaited, kept), dropped, added);
  }

  private BlockRecord with(
      List<Integer> good, List<Integer> awaited, List<ReportedReplica> others) {
    return new BlockRecord(
        fileId, generationStamp, numBytes, replication, isCommitted, good, awaited, others);
  }
}
