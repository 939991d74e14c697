package io.acaciafs.blocks.load;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.datanode.DatanodeRows;
import io.acaciafs.blocks.proto.BlockRow;
import io.acaciafs.blocks.proto.BlockRow.State;
import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRecord.Owner;
import io.acaciafs.blocks.record.BlockRecord.Replicas;
import io.acaciafs.blocks.record.Construction;
import io.acaciafs.blocks.record.OwnershipEpoch;
import io.acaciafs.blocks.record.RedundancyCounters;
import io.acaciafs.blocks.record.RepairState;
import io.acaciafs.blocks.safemode.Adoption;
import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.util.VersionInfo;

/** Rows of blocks that come into an empty store all at once, not from writers. Stateless. */
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

  /** Whose keys are queues and in them block ids. */
  public static Table repairs() {
    return BlockKeys.REPAIRS;
  }

  public static Key key(long blockId) {
    return BlockKeys.block(blockId);
  }

  public static long idOf(Key block) {
    return BlockKeys.blockIdInBlock(block);
  }

  /**
   * A complete block of which no DataNode has reported a replica yet: a missing one, until they do.
   */
  public static byte[] missing(Block block, long fileId, int replication) {
    return new BlockRecord(
            new Owner(fileId, replication),
            block.getGenerationStamp(),
            block.getNumBytes(),
            State.COMPLETE,
            Replicas.NONE,
            RepairState.NONE.in(RepairQueue.MISSING),
            Construction.NONE)
        .encode();
  }

  /**
   * A block of an open file; a writer that goes on with it, or its recovery, finds it by the
   * reports.
   *
   * @param issuedGenerationStamp the highest that the block may ever have been given: a writer that
   *     was cut off may have put a higher stamp than the block's on some replicas, and the next one
   *     has to lie above. 0 where none was
   */
  public static byte[] underConstruction(
      Block block, long fileId, int replication, long issuedGenerationStamp) {
    return new BlockRecord(
            new Owner(fileId, replication),
            block.getGenerationStamp(),
            block.getNumBytes(),
            State.UNDER_CONSTRUCTION,
            Replicas.NONE,
            RepairState.NONE,
            Construction.NONE.withIssued(issuedGenerationStamp).above(block.getGenerationStamp()))
        .encode();
  }

  /** Whether the row is one of {@link #missing}, which needs {@link #repairOf} as well. */
  public static boolean isMissing(byte[] row) {
    try {
      return BlockRow.parseFrom(row).getQueue() == RepairQueue.MISSING;
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a block row", e);
    }
  }

  /** The row in the queue of missing blocks; comes in the order of the blocks. */
  public static Key repairOf(byte[] blockKey) {
    return BlockKeys.repair(
        RepairQueue.MISSING, BlockKeys.blockIdInBlock(new Key(BlockKeys.BLOCKS, blockKey)));
  }

  /**
   * Notes that so many blocks wait for DataNodes to report them: the next start waits for these in
   * safe mode.
   *
   * @param transactionId beyond all that the DataNodes have heard of
   * @param generationStamp the highest that the other NameNode has issued for any block
   */
  public static void adopt(
      Transaction transaction,
      long missing,
      long missingWithOneReplica,
      long transactionId,
      long generationStamp) {
    RedundancyCounters.addMissing(transaction, missing, missingWithOneReplica);
    Adoption.begin(transaction, missing);
    OwnershipEpoch.write(transaction, transactionId);
    Adoption.putGenerationStamp(transaction, generationStamp);
  }

  /** The highest that another NameNode had issued when its blocks came from it; 0 if none came. */
  public static long adoptedGenerationStamp(Reader reader) {
    return Adoption.generationStamp(reader);
  }

  /** The highest transaction id that DataNodes have heard of. */
  public static long transactionId(Reader reader) {
    return OwnershipEpoch.read(reader);
  }

  /**
   * Makes up DataNodes with one storage each.
   *
   * @return the indexes of the storages, ascending
   */
  public static List<Integer> storages(Transaction transaction, int count) {
    List<Integer> indexes = new ArrayList<>();
    int first = Math.toIntExact(DatanodeRows.reserveIndexes(transaction, count));
    for (int i = 0; i < count; i++) {
      String uuid = "loaded-" + i;
      int port = 50_000 + 10 * i;
      DatanodeID id = new DatanodeID("127.0.0.1", "localhost", uuid, port, port + 1, 0, port + 3);
      DatanodeRows.register(
          transaction, id, VersionInfo.getVersion(), NetworkTopology.DEFAULT_RACK);
      DatanodeRows.describe(transaction, uuid, new DatanodeStorage("DS-" + uuid), first + i);
      indexes.add(first + i);
    }
    return indexes;
  }

  /** A block with all its replicas; to be called in the order of block ids. */
  public static void addBlock(
      BulkLoader.Run run, long blockId, long fileId, long lengthBytes, List<Integer> storages) {
    BlockRecord record =
        new BlockRecord(
            new Owner(fileId, storages.size()),
            GENERATION_STAMP,
            lengthBytes,
            State.COMPLETE,
            new Replicas(storages, List.of(), List.of()),
            RepairState.NONE,
            Construction.NONE);
    run.add(BlockKeys.block(blockId), record.encode());
  }

  /** That a storage holds a block; to be called in the order of storages, then of block ids. */
  public static void addReplica(BulkLoader.Run run, int storage, long blockId) {
    run.add(BlockKeys.replica(storage, blockId), NOTHING);
  }
}
