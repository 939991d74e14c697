package io.acaciafs.blocks;

import io.acaciafs.kv.Reader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Turns block rows into the answers that clients get. Safe for use by many threads. */
final class BlockLocator {
  private final DatanodeRegistry registry;
  private final String blockPoolId;

  BlockLocator(DatanodeRegistry registry, String blockPoolId) {
    this.registry = registry;
    this.blockPoolId = blockPoolId;
  }

  /** See {@link BlockManager#locate}. */
  LocatedBlock locate(Reader reader, Block block, long offset, boolean underConstruction) {
    BlockRecord record = BlockRows.peek(reader, block.getBlockId());
    if (record == null) {
      return located(block, offset, List.of());
    }
    Block described =
        underConstruction
            ? new Block(block.getBlockId(), record.numBytes(), record.generationStamp())
            : block;
    boolean isCorrupt =
        record.isCommitted() && record.storages().isEmpty() && !record.upkeep().corrupt().isEmpty();
    return located(
        described, offset, isCorrupt ? corruptPlacesOf(record) : placesOf(record), isCorrupt);
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

  private static List<Integer> corruptPlacesOf(BlockRecord record) {
    return record.upkeep().corrupt().stream().map(ReportedReplica::storage).toList();
  }

  private boolean isThere(int index) {
    Storage storage = registry.storage(index);
    return storage != null && !storage.isLost();
  }

  /**
   * Where a reader may look. Of a block that is being written that is wherever it was expected,
   * heard of or not: the reader asks a DataNode for the length.
   */
  private List<Integer> placesOf(BlockRecord record) {
    if (record.isCommitted() && !record.storages().isEmpty()) {
      List<Integer> there = new ArrayList<>(record.storages().size());
      for (Integer storage : record.storages()) {
        if (isThere(storage)) {
          there.add(storage);
        }
      }
      return there.isEmpty() ? record.storages() : there;
    }
    List<Integer> places = new ArrayList<>(record.expected());
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
