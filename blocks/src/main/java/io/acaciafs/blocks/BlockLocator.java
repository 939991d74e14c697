package io.acaciafs.blocks;

import io.acaciafs.kv.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    List<Integer> corrupt =
        record.upkeep().corrupt().stream().map(ReportedReplica::storage).toList();
    boolean isCorrupt = record.isCommitted() && record.storages().isEmpty() && !corrupt.isEmpty();
    return located(described, offset, isCorrupt ? corrupt : placesOf(record), isCorrupt);
  }

  LocatedBlock located(Block block, long offset, List<Integer> storageIndexes) {
    return located(block, offset, storageIndexes, false);
  }

  private LocatedBlock located(
      Block block, long offset, List<Integer> storageIndexes, boolean isCorrupt) {
    List<Storage> storages =
        storageIndexes.stream().map(registry::storage).filter(Objects::nonNull).toList();
    DatanodeInfoWithStorage[] locations = new DatanodeInfoWithStorage[storages.size()];
    String[] ids = new String[storages.size()];
    StorageType[] types = new StorageType[storages.size()];
    for (int i = 0; i < locations.length; i++) {
      Storage storage = storages.get(i);
      ids[i] = storage.uuid();
      types[i] = storage.description().getStorageType();
      locations[i] = new DatanodeInfoWithStorage(storage.datanode().info(), ids[i], types[i]);
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
      List<Integer> there = record.storages().stream().filter(this::isThere).toList();
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
