package io.acaciafs.blocks;

import io.acaciafs.blocks.proto.BlockRow.State;
import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.util.VersionInfo;

/**
 * Rows of complete blocks that come into an empty store all at once, not from writers and reports.
 * Stateless.
 */
public final class LoadedBlocks {
  /** HDFS's GenerationStamp.LAST_RESERVED_STAMP and one. */
  public static final long GENERATION_STAMP = 1001;

  private static final byte[] NOTHING = {};

  private LoadedBlocks() {}

  /** Whose keys are block ids. */
  public static Table blocks() {
    return BlockKeys.BLOCKS;
  }

  /** Whose keys are storages and in them block ids. */
  public static Table replicas() {
    return BlockKeys.REPLICAS;
  }

  /**
   * Makes up DataNodes with one storage each.
   *
   * @return the indexes of the storages, ascending
   */
  public static List<Integer> storages(Transaction transaction, int count) {
    List<Integer> indexes = new ArrayList<>();
    int last = DatanodeRows.lastIndex(transaction);
    for (int i = 0; i < count; i++) {
      String uuid = "loaded-" + i;
      int port = 50_000 + 10 * i;
      DatanodeID id = new DatanodeID("127.0.0.1", "localhost", uuid, port, port + 1, 0, port + 3);
      DatanodeRows.register(
          transaction, id, VersionInfo.getVersion(), NetworkTopology.DEFAULT_RACK);
      last = DatanodeRows.describe(transaction, uuid, new DatanodeStorage("DS-" + uuid), last);
      indexes.add(last);
    }
    DatanodeRows.putLastIndex(transaction, last);
    return indexes;
  }

  /** A block with all its replicas; to be called in the order of block ids. */
  public static void addBlock(
      BulkLoader.Run run, long blockId, long fileId, long lengthBytes, List<Integer> storages) {
    BlockRecord record =
        new BlockRecord(
            fileId,
            GENERATION_STAMP,
            lengthBytes,
            storages.size(),
            State.COMPLETE,
            storages,
            List.of(),
            List.of(),
            Upkeep.NONE,
            Construction.NONE);
    run.add(BlockKeys.block(blockId), record.encode());
  }

  /** That a storage holds a block; to be called in the order of storages, then of block ids. */
  public static void addReplica(BulkLoader.Run run, int storage, long blockId) {
    run.add(BlockKeys.replica(storage, blockId), NOTHING);
  }
}
