package io.acaciafs.blocks.write;

import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.ReplicaPlace;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.datanode.StoredReplicaStates;
import io.acaciafs.blocks.datanode.StoredReplicaStates.StoredReplicaState;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.ReportedReplica;
import io.acaciafs.kv.Reader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Turns block rows into the answers that clients get. Safe for use by many threads. Source of the
 * rules for locations: HDFS 3.5's BlockManager.createLocatedBlock.
 */
public final class BlockLocator {
  private final DatanodeRegistry registry;
  private final StoredReplicaStates replicaStates;
  private final String blockPoolId;

  public BlockLocator(
      DatanodeRegistry registry, StoredReplicaStates replicaStates, String blockPoolId) {
    this.registry = registry;
    this.replicaStates = replicaStates;
    this.blockPoolId = blockPoolId;
  }

  /** See {@code BlockManager.locate}. */
  public LocatedBlock locate(Reader reader, Block block, long offset, boolean underConstruction) {
    BlockRecord record = BlockRows.read(reader, block.getBlockId());
    if (record == null) {
      return located(block, offset, List.of());
    }
    Block described = underConstruction ? described(block, record) : block;
    if (!record.isComplete()) {
      return located(described, offset, writtenPlacesOf(record));
    }
    List<Integer> good = readable(record.storages());
    List<Integer> corrupt = good.isEmpty() ? readable(corruptPlacesOf(record)) : List.of();
    return corrupt.isEmpty()
        ? located(described, offset, forReading(good))
        : located(described, offset, forReading(corrupt), true);
  }

  /** Until it is committed a block is as long as its writer has said, to its file or its row. */
  private static Block described(Block block, BlockRecord record) {
    long lengthBytes =
        record.isCommitted() ? record.numBytes() : Math.max(record.numBytes(), block.getNumBytes());
    return new Block(block.getBlockId(), lengthBytes, record.generationStamp());
  }

  LocatedBlock located(Block block, long offset, List<Integer> storageIndexes) {
    return located(block, offset, storageIndexes, false);
  }

  private LocatedBlock located(
      Block block, long offset, List<Integer> storageIndexes, boolean isCorrupt) {
    ReplicaPlace[] known = new ReplicaPlace[storageIndexes.size()];
    int count = 0;
    for (int index : storageIndexes) {
      Storage storage = registry.storage(index);
      if (storage != null) {
        known[count++] = storage.place();
      }
    }
    DatanodeInfoWithStorage[] locations =
        Arrays.copyOf(known, count, DatanodeInfoWithStorage[].class);
    String[] ids = new String[count];
    StorageType[] types = new StorageType[count];
    for (int i = 0; i < count; i++) {
      ids[i] = locations[i].getStorageID();
      types[i] = locations[i].getStorageType();
    }
    return new LocatedBlock(
        new ExtendedBlock(blockPoolId, block),
        locations,
        ids,
        types,
        offset,
        isCorrupt,
        DatanodeInfo.EMPTY_ARRAY);
  }

  /** All storages without a good replica. */
  private static List<Integer> corruptPlacesOf(BlockRecord record) {
    return Stream.concat(
            record.repairState().corrupt().stream(),
            record.reported().stream().filter(replica -> !record.isSuperseded(replica)))
        .map(ReportedReplica::storage)
        .toList();
  }

  /**
   * Like HDFS, this names no replicas of a dead DataNode or a failed disk. A DataNode in
   * maintenance keeps its replicas.
   */
  private List<Integer> readable(List<Integer> storages) {
    return filtered(
        storages,
        storage ->
            replicaStates.isReadable(storage)
                || replicaStates.of(storage) == StoredReplicaState.MAINTENANCE);
  }

  private List<Integer> forReading(List<Integer> storages) {
    return filtered(storages, storage -> !replicaStates.isInMaintenance(storage));
  }

  private static List<Integer> filtered(List<Integer> storages, Predicate<Integer> isWanted) {
    for (Integer storage : storages) {
      if (!isWanted.test(storage)) {
        return storages.stream().filter(isWanted).toList();
      }
    }
    return storages; // nearly always
  }

  /**
   * Where a block under construction may be: all expected storages, reported or not, because the
   * reader asks a DataNode for the length.
   */
  private List<Integer> writtenPlacesOf(BlockRecord record) {
    List<Integer> places = new ArrayList<>(record.storages());
    places.addAll(record.expected());
    for (ReportedReplica replica : record.reported()) {
      boolean isKnown =
          places.stream().anyMatch(place -> registry.sameNode(place, replica.storage()));
      if (!isKnown && replica.generationStamp() == record.generationStamp()) {
        places.add(replica.storage());
      }
    }
    return places;
  }
}
