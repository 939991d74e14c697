package io.acaciafs.blocks.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.proto.BlockRow;
import io.acaciafs.blocks.proto.BlockRow.State;
import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.kv.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * What is stored of a block, and how it changes. Immutable; a change gives a new record, which
 * {@code BlockRecordWriter.save} writes with all that follows from it.
 *
 * <p>While the block is under construction, finalized replicas wait in {@code reported}: nobody
 * knows yet which length is right. {@link #committed} sorts them into {@code storages}; the others
 * leave as soon as one good replica is there, never before.
 *
 * @param state COMMITTED: length and stamp are final; COMPLETE: and there were enough replicas
 *     once. That stays so whatever becomes of them: nobody waits for its writing to end any more
 * @param repairState what repair knows of the block
 * @param construction what only writing and recovering it needs
 */
public record BlockRecord(
    Owner owner,
    long generationStamp,
    long numBytes,
    State state,
    Replicas replicas,
    RepairState repairState,
    Construction construction) {

  /**
   * The file that the block belongs to.
   *
   * @param replication how many replicas it wants
   */
  public record Owner(long fileId, int replication) {}

  /**
   * Where the replicas are.
   *
   * @param storages indexes of storages with a finalized replica of the right length and stamp;
   *     only of a committed block
   * @param expected storages chosen for writing; of a committed block those not heard of since
   * @param reported finalized replicas not known to be right
   */
  public record Replicas(
      List<Integer> storages, List<Integer> expected, List<ReportedReplica> reported) {
    public static final Replicas NONE = new Replicas(List.of(), List.of(), List.of());

    public Replicas {
      storages = List.copyOf(storages);
      expected = List.copyOf(expected);
      reported = List.copyOf(reported);
    }

    public static Replicas expected(List<Integer> storages) {
      return new Replicas(List.of(), storages, List.of());
    }
  }

  /**
   * @param added a finalized replica is in the record that was not there before
   */
  public record Change(BlockRecord record, boolean added) {}

  public static BlockRecord allocated(
      long fileId, long generationStamp, int replication, List<Integer> expected) {
    return new BlockRecord(
        new Owner(fileId, replication),
        generationStamp,
        0,
        State.UNDER_CONSTRUCTION,
        Replicas.expected(expected),
        RepairState.NONE,
        Construction.NONE);
  }

  public long fileId() {
    return owner.fileId;
  }

  /** How many replicas are wanted. */
  public int replication() {
    return owner.replication;
  }

  /** {@link Replicas#storages}. */
  public List<Integer> storages() {
    return replicas.storages;
  }

  /** {@link Replicas#expected}. */
  public List<Integer> expected() {
    return replicas.expected;
  }

  /** {@link Replicas#reported}. */
  public List<ReportedReplica> reported() {
    return replicas.reported;
  }

  /** Its writer has said how long it is: length and stamp are final. */
  public boolean isCommitted() {
    return state != State.UNDER_CONSTRUCTION;
  }

  /** Whether, since it was committed, it has had enough replicas. */
  public boolean isComplete() {
    return state == State.COMPLETE;
  }

  /** Complete if it is committed and has so many good replicas. */
  public BlockRecord completedBy(int enough) {
    if (state != State.COMMITTED || storages().size() < enough) {
      return this;
    }
    return new BlockRecord(
        owner, generationStamp, numBytes, State.COMPLETE, replicas, repairState, construction);
  }

  public BlockRecord withReplication(int wanted) {
    return ofFile(fileId(), wanted);
  }

  /** The block goes over to another file, which wants so many replicas. */
  public BlockRecord ofFile(long newFileId, int wanted) {
    return new BlockRecord(
        new Owner(newFileId, wanted),
        generationStamp,
        numBytes,
        state,
        replicas,
        repairState,
        construction);
  }

  /** A generation stamp that no replica of the block can have yet. */
  public long nextGenerationStamp() {
    return Math.max(generationStamp, construction.issuedGenerationStamp()) + 1;
  }

  public BlockRecord with(Construction newConstruction) {
    return new BlockRecord(
        owner, generationStamp, numBytes, state, replicas, repairState, newConstruction);
  }

  /**
   * The writer goes on with a new stamp on these storages. What he leaves behind on others is to be
   * deleted when the block is complete.
   */
  public BlockRecord rewritten(long newGenerationStamp, long lengthBytes, List<Integer> pipeline) {
    List<ReportedReplica> others = new ArrayList<>(reported());
    for (int storage : expected()) {
      boolean isKnown = others.stream().anyMatch(replica -> replica.storage() == storage);
      if (!isKnown && !pipeline.contains(storage)) {
        others.add(new ReportedReplica(storage, 0, generationStamp));
      }
    }
    return open(
        newGenerationStamp, lengthBytes, pipeline, others, construction.above(newGenerationStamp));
  }

  /** Under construction again: its good replicas have to prove themselves anew. */
  public BlockRecord reopened(List<Integer> pipeline) {
    List<ReportedReplica> finalized = new ArrayList<>(reported());
    storages()
        .forEach(storage -> finalized.add(new ReportedReplica(storage, numBytes, generationStamp)));
    return open(generationStamp, numBytes, pipeline, finalized, construction);
  }

  /**
   * Recovery has given the block its stamp and length; replicas without them are of no use.
   *
   * @param recovered storages that take part in it
   */
  public BlockRecord recovered(
      long newGenerationStamp, long lengthBytes, List<Integer> recovered, SameNode sameNode) {
    List<ReportedReplica> replicas = new ArrayList<>(reported());
    replicas.removeIf(replica -> recovered.contains(replica.storage()));
    recovered.forEach(
        storage -> replicas.add(new ReportedReplica(storage, lengthBytes, newGenerationStamp)));
    RepairState sound = repairState;
    for (int storage : recovered) {
      sound = sound.withoutCorrupt(storage);
    }
    Construction finished = new Construction(construction.issuedGenerationStamp(), null);
    return open(
            newGenerationStamp,
            lengthBytes,
            List.of(),
            replicas,
            finished.above(newGenerationStamp))
        .withRepairState(sound)
        .committed(lengthBytes, sameNode);
  }

  private BlockRecord open(
      long stamp,
      long lengthBytes,
      List<Integer> pipeline,
      List<ReportedReplica> finalized,
      Construction newConstruction) {
    return new BlockRecord(
        owner,
        stamp,
        lengthBytes,
        State.UNDER_CONSTRUCTION,
        new Replicas(List.of(), pipeline, finalized),
        repairState,
        newConstruction);
  }

  /** Expected storages that its writer wrote to. */
  public List<Integer> written() {
    return expected().stream().filter(storage -> !repairState.copying().contains(storage)).toList();
  }

  public BlockRecord withExpected(List<Integer> chosen) {
    return with(storages(), chosen, reported(), repairState);
  }

  public BlockRecord withRepairState(RepairState newUpkeep) {
    return with(storages(), expected(), reported(), newUpkeep);
  }

  /** The block got its final length: the replicas reported so far are judged. */
  public BlockRecord committed(long lengthBytes, SameNode sameNode) {
    BlockRecord bare =
        new BlockRecord(
            owner,
            generationStamp,
            lengthBytes,
            State.COMMITTED,
            new Replicas(storages(), expected(), List.of()),
            repairState,
            construction);
    List<Integer> good = new ArrayList<>(storages());
    List<ReportedReplica> bad = new ArrayList<>();
    for (ReportedReplica replica : reported()) {
      if (bare.isGood(replica)) {
        good.add(replica.storage());
      } else {
        bad.add(replica);
      }
    }
    return bare.settled(good, bad, repairState, sameNode);
  }

  /**
   * A finalized replica was reported. One that was found corrupt stays so, whatever its DataNode
   * says of it, until it is gone or has a newer stamp. As in HDFS, a good replica replaces one on
   * another storage of the same DataNode, which the DataNode has moved.
   */
  public Change withReplica(ReportedReplica replica, SameNode sameNode) {
    if (repairState.isCorrupt(replica)) {
      return new Change(this, false);
    }
    RepairState without = repairState.withoutCorrupt(replica.storage());
    List<ReportedReplica> others = new ArrayList<>(reported());
    others.removeIf(other -> other.storage() == replica.storage());
    List<Integer> good = new ArrayList<>(storages());
    boolean known = good.remove((Integer) replica.storage());
    if (!isCommitted()) {
      others.add(replica);
      return new Change(with(good, expected(), others, without), !reported().contains(replica));
    }
    if (isGood(replica)) {
      good.removeIf(other -> sameNode.test(other, replica.storage()));
      good.add(replica.storage());
    } else {
      others.add(replica);
    }
    return new Change(settled(good, others, without, sameNode), isGood(replica) && !known);
  }

  /**
   * A replica is no longer on its storage.
   *
   * @return this record where it knew of no such replica
   */
  public BlockRecord withoutReplica(int storage, SameNode sameNode) {
    List<Integer> good = new ArrayList<>(storages());
    List<Integer> awaited = new ArrayList<>(expected());
    List<ReportedReplica> others = new ArrayList<>(reported());
    RepairState without = repairState.withoutCorrupt(storage);
    boolean changed = good.remove((Integer) storage) || without != repairState;
    changed |= others.removeIf(replica -> replica.storage() == storage);
    if (isCommitted()) {
      changed |= awaited.removeIf(other -> sameNode.test(other, storage));
    }
    return changed ? with(good, awaited, others, without) : this;
  }

  /**
   * A replica was found to have wrong bytes.
   *
   * @return this record where it holds no such replica
   */
  public BlockRecord withCorrupt(int storage) {
    if (!isCommitted() || !storages().contains(storage)) {
      return this;
    }
    List<Integer> good = new ArrayList<>(storages());
    good.remove((Integer) storage);
    return with(
        good,
        expected(),
        reported(),
        repairState.withCorrupt(new ReportedReplica(storage, numBytes, generationStamp)));
  }

  /** Whether any replica, good or not, is known to be on the storage. */
  public boolean holds(int storage) {
    return storages().contains(storage)
        || reported().stream().anyMatch(replica -> replica.storage() == storage)
        || repairState.corrupt().stream().anyMatch(replica -> replica.storage() == storage);
  }

  /** Whether the replica has the length and the stamp of this committed block. */
  public boolean isGood(ReportedReplica replica) {
    return isCommitted()
        && replica.numBytes() == numBytes
        && replica.generationStamp() == generationStamp;
  }

  /**
   * Whether this is an old word of a replica that its DataNode has written on since: the newer one
   * is on its way, and nothing follows from the old one.
   */
  public boolean isSuperseded(ReportedReplica replica) {
    return replica.generationStamp() < generationStamp && written().contains(replica.storage());
  }

  /**
   * Whether a replica of this kind may be deleted without losing the last one.
   *
   * @param isReadable whether a storage is where it can be read now
   */
  public boolean canSpare(ReportedReplica replica, IntPredicate isReadable) {
    return isCommitted()
        && replica.generationStamp() <= generationStamp
        && !isSuperseded(replica)
        && storages().stream()
            .anyMatch(storage -> storage != replica.storage() && isReadable.test(storage));
  }

  public byte[] encode() {
    BlockRow.Builder row =
        BlockRow.newBuilder()
            .setFileId(fileId())
            .setGenerationStamp(generationStamp)
            .setNumBytes(numBytes)
            .setReplication(replication())
            .setState(state)
            .addAllStorages(storages())
            .addAllExpected(expected());
    reported().forEach(replica -> row.addReported(replica.encode()));
    repairState.encodeTo(row);
    construction.encodeTo(row);
    return row.build().toByteArray();
  }

  public static BlockRecord decode(byte[] bytes) {
    BlockRecord plain = PlainBlock.read(bytes);
    return plain == null ? decodeAny(bytes) : plain;
  }

  /** With the generated class: what {@link PlainBlock} reads too, and all else. */
  static BlockRecord decodeAny(byte[] bytes) {
    try {
      BlockRow row = BlockRow.parseFrom(bytes);
      if (row.getState() == State.UNRECOGNIZED || row.getQueue() == RepairQueue.UNRECOGNIZED) {
        throw new StoreException(
            "A block row of an unknown kind state="
                + row.getStateValue()
                + " queue="
                + row.getQueueValue());
      }
      return new BlockRecord(
          new Owner(row.getFileId(), row.getReplication()),
          row.getGenerationStamp(),
          row.getNumBytes(),
          row.getState(),
          new Replicas(
              row.getStoragesList(),
              row.getExpectedList(),
              row.getReportedList().stream().map(ReportedReplica::decode).toList()),
          RepairState.decode(row),
          Construction.decode(row));
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a block row", e);
    }
  }

  /** Forgets to expect what has come. */
  BlockRecord settled(
      List<Integer> good, List<ReportedReplica> bad, RepairState newUpkeep, SameNode sameNode) {
    List<Integer> awaited = new ArrayList<>(expected());
    awaited.removeIf(
        storage ->
            good.stream().anyMatch(other -> sameNode.test(storage, other))
                || bad.stream()
                    .filter(other -> !isSuperseded(other))
                    .anyMatch(other -> sameNode.test(storage, other.storage())));
    return with(good, awaited, bad, newUpkeep);
  }

  public BlockRecord with(
      List<Integer> good,
      List<Integer> awaited,
      List<ReportedReplica> others,
      RepairState newUpkeep) {
    return new BlockRecord(
        owner,
        generationStamp,
        numBytes,
        state,
        new Replicas(good, awaited, others),
        newUpkeep,
        construction);
  }
}
