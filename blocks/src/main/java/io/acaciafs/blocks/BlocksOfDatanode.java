package io.acaciafs.blocks;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.value.Saturated;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.BlocksWithLocations;
import org.apache.hadoop.hdfs.server.protocol.BlocksWithLocations.BlockWithLocations;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the blocks of a DataNode in portions, from which the balancer chooses. A portion begins
 * behind the one before, so that repeated questions come round to all blocks; where HDFS begins at
 * a random one. Safe for use by many threads; a question may take as long as a walk over all blocks
 * of the DataNode, and holds nothing up.
 */
final class BlocksOfDatanode {
  private final Reader reader;
  private final DatanodeRegistry registry;

  /** By DataNode uuid: behind which replica the next portion begins. */
  private final Map<String, Key> lastReplicas = new ConcurrentHashMap<>();

  BlocksOfDatanode(Reader reader, DatanodeRegistry registry) {
    this.reader = reader;
    this.registry = registry;
  }

  /** See {@link BlockManager#blocksOf}. */
  BlocksWithLocations next(
      DatanodeID id, long sizeBytes, long minBlockBytes, @Nullable StorageType storageType) {
    Datanode datanode = registry.datanode(id.getDatanodeUuid());
    if (datanode == null) {
      throw new HadoopIllegalArgumentException("Datanode " + id + " not found.");
    }
    Portion portion = new Portion(sizeBytes, minBlockBytes);
    for (KeyRange range : circle(datanode, storageType)) {
      Key last = take(range, portion);
      if (last != null) {
        lastReplicas.put(datanode.uuid(), last);
        break;
      }
    }
    return new BlocksWithLocations(portion.blocks.toArray(BlockWithLocations[]::new));
  }

  /** All replicas of the DataNode, from the one behind the last portion to that again. */
  private List<KeyRange> circle(Datanode datanode, @Nullable StorageType storageType) {
    List<KeyRange> ranges = new ArrayList<>();
    datanode.storages().stream()
        .filter(storage -> storage.isVerified() && !storage.isLost())
        .filter(storage -> storageType == null || storage.type() == storageType)
        .sorted(Comparator.comparingInt(Storage::index))
        .forEach(storage -> ranges.add(BlockKeys.replicasOf(storage.index())));
    Key last = lastReplicas.get(datanode.uuid());
    for (int i = 0; last != null && i < ranges.size(); i++) {
      if (ranges.get(i).contains(last)) {
        Collections.rotate(ranges, -i);
        KeyRange whole = ranges.get(0);
        ranges.set(0, whole.startingAfter(last.bytes()));
        ranges.add(whole); // a little of it twice, where all blocks together are too few
        break;
      }
    }
    return ranges;
  }

  /** Returns the replica with which the portion became full; null when it did not. */
  private @Nullable Key take(KeyRange replicas, Portion portion) {
    try (Scan scan = reader.scan(replicas)) {
      while (scan.hasNext()) {
        Key key = scan.next().key();
        portion.offer(BlockKeys.blockIdIn(key));
        if (portion.isFull()) {
          return key;
        }
      }
    }
    return null;
  }

  /** What one question is answered. */
  private final class Portion {
    private final long sizeBytes;
    private final long minBlockBytes;
    private final List<BlockWithLocations> blocks = new ArrayList<>();
    private long bytes;

    Portion(long sizeBytes, long minBlockBytes) {
      this.sizeBytes = sizeBytes;
      this.minBlockBytes = minBlockBytes;
    }

    boolean isFull() {
      return bytes >= sizeBytes;
    }

    void offer(long blockId) {
      BlockRecord record = BlockRows.read(reader, blockId);
      if (record == null || !record.isComplete() || record.numBytes() < minBlockBytes) {
        return;
      }
      List<Storage> storages =
          record.storages().stream()
              .map(registry::storage)
              .filter(storage -> storage != null && !storage.isLost())
              .toList();
      blocks.add(
          new BlockWithLocations(
              new Block(blockId, record.numBytes(), record.generationStamp()),
              storages.stream().map(storage -> storage.datanode().uuid()).toArray(String[]::new),
              storages.stream().map(Storage::uuid).toArray(String[]::new),
              storages.stream().map(Storage::type).toArray(StorageType[]::new)));
      bytes = Saturated.add(bytes, record.numBytes());
    }
  }
}
