package io.acaciafs.namespace.context;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.jspecify.annotations.Nullable;

/**
 * What the namespace asks of the block manager. All of it happens within the namespace's own
 * transaction: a block's row is written where its file's row is.
 */
public interface FileBlocks {

  /** What a writer wishes for its next block. */
  record Wishes(
      List<DatanodeInfo> excludedNodes, List<String> favoredNodes, EnumSet<AddBlockFlag> flags) {
    public static final Wishes NONE =
        new Wishes(List.of(), List.of(), EnumSet.noneOf(AddBlockFlag.class));
  }

  /**
   * A block about to be written.
   *
   * @param offsetBytes where in the file it begins
   * @param clientMachine the writer's IP address
   */
  record NewBlock(
      OfFile file, FileBlock block, long offsetBytes, String clientMachine, Wishes wishes) {}

  /**
   * The file of a new block.
   *
   * @param replication how many DataNodes the block is for
   * @param storagePolicyId HDFS's id of the file's storage policy; 0: the default
   */
  record OfFile(
      String path,
      long id,
      short replication,
      long preferredBlockSizeBytes,
      byte storagePolicyId) {}

  /**
   * Chooses DataNodes for a block and writes its row, under construction; chooses again for one
   * that has a row already.
   *
   * @throws IOException when there are fewer than dfs.namenode.replication.min of them
   */
  LocatedBlock allocate(Transaction transaction, NewBlock block) throws IOException;

  /** The pool that all blocks are in, as HDFS's texts name it. */
  String blockPoolId();

  /** The rows that say of a block where it is; none where that is not worth while. */
  default List<Key> rowsOf(long blockId) {
    return List.of();
  }

  /**
   * Whether a block's row alone shows that the block belongs to the file and is as the file's inode
   * describes it. Then the order of the two reads does not matter. Other data of the row changes
   * with DataNodes' reports, in no order with clients' operations.
   *
   * @param reader reads the row
   */
  default boolean tellsOf(Reader reader, FileInode file, FileBlock block) {
    return true;
  }

  /** Where a block under construction is written to; null where it has no place yet. */
  @Nullable LocatedBlock locateUnderConstruction(Reader reader, FileBlock block, long offsetBytes);

  /**
   * A block as its file needs to know it.
   *
   * @param state COMMITTED: its length is final, COMPLETE: and it has enough replicas
   * @param recoveryId of the attempt that may succeed; 0 unless the block is under recovery
   * @param truncateToBytes the length that recovery is to leave; 0 where it saves what it can
   * @param copyId the block that recovery makes in place of this one; 0 where it keeps this one
   * @param isPlaced whether a DataNode may have any of it
   */
  record BlockStatus(
      long fileId,
      BlockUCState state,
      long recoveryId,
      long truncateToBytes,
      long copyId,
      boolean isPlaced) {}

  /** Guards the block's row; null where there is no such block. */
  @Nullable BlockStatus status(Transaction transaction, long blockId);

  /**
   * A stamp that was never issued for this block under construction, which keeps its own until
   * {@link #updatePipeline}.
   *
   * @return the block with the new stamp
   */
  LocatedBlock issueGenerationStamp(Transaction transaction, long blockId) throws IOException;

  /** The writer goes on with this stamp and length on other DataNodes. */
  void updatePipeline(
      Transaction transaction,
      FileBlock updated,
      List<? extends DatanodeID> nodes,
      List<String> storageIds)
      throws IOException;

  /**
   * Finds more DataNodes for a pipeline; writes nothing.
   *
   * @param block with the number of further DataNodes as its file's replication
   * @return the DataNodes that there were, then the new ones
   */
  LocatedBlock additionalTargets(
      NewBlock block, List<DatanodeInfo> existing, List<String> storageIds);

  /** A complete block is written again. */
  LocatedBlock reopen(Transaction transaction, FileBlock block, long offsetBytes)
      throws IOException;

  /**
   * Has a block's replicas brought to one stamp and length, unless an attempt to do so is under
   * way.
   *
   * @param truncateToBytes the length, more than 0; 0 for what can be saved
   * @param newBlockId gives the id of a new block, where what is kept has to be copied to one
   */
  void recover(Transaction transaction, long blockId, long truncateToBytes, LongSupplier newBlockId)
      throws IOException;

  /**
   * Recovery has succeeded with this stamp and length on these DataNodes.
   *
   * @param blockId the block that was to be recovered
   * @param block the same, or its copy, which takes its place: then it is removed
   * @return whether the block is complete, or the copy
   */
  boolean recovered(
      Transaction transaction,
      long blockId,
      FileBlock block,
      List<? extends DatanodeID> nodes,
      List<String> storageIds)
      throws IOException;

  /** Blocks go over to another file. */
  void reassign(
      Transaction transaction, Collection<FileBlock> blocks, long fileId, short replication);

  /**
   * Takes over the final length that the writer reports.
   *
   * @return whether the block is complete with it, as {@link #isComplete} will say
   * @throws IOException when generation stamp or length contradict what is known
   */
  boolean commit(Transaction transaction, FileBlock block) throws IOException;

  /**
   * Whether the block is committed and has had since then dfs.namenode.replication.min replicas,
   * whatever became of them.
   */
  boolean isComplete(Transaction transaction, long blockId);

  /** Whether a complete block has enough replicas now, on DataNodes that live, to be written on. */
  boolean isSufficientlyReplicated(Transaction transaction, long blockId);

  /** Forgets blocks; their replicas are deleted from the DataNodes later. */
  void remove(Transaction transaction, Collection<FileBlock> blocks);

  void setReplication(Transaction transaction, Collection<FileBlock> blocks, short replication);
}
