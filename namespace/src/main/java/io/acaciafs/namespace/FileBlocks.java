package io.acaciafs.namespace;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.record.FileBlock;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * What the namespace asks of whoever keeps blocks. All of it happens within the namespace's own
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
   * @param storagePolicyId HDFS's id of the file's storage policy; 0: the default
   */
  record NewBlock(
      String path,
      long fileId,
      FileBlock block,
      short replication,
      long preferredBlockSizeBytes,
      long offsetBytes,
      String clientMachine,
      Wishes wishes,
      byte storagePolicyId) {}

  /**
   * Chooses DataNodes for a block and writes its row, under construction; chooses again for one
   * that has a row already.
   *
   * @throws IOException when there are fewer than dfs.namenode.replication.min of them
   */
  LocatedBlock allocate(Transaction transaction, NewBlock block) throws IOException;

  /** Where a block under construction is written to; null where it has no place yet. */
  LocatedBlock locateUnderConstruction(Reader reader, FileBlock block, long offsetBytes);

  /**
   * Takes over the final length that the writer reports.
   *
   * @return whether the block is complete with it, as {@link #isComplete} will say
   * @throws IOException when generation stamp or length contradict what is known
   */
  boolean commit(Transaction transaction, FileBlock block) throws IOException;

  /** Whether the block is committed and has at least dfs.namenode.replication.min replicas. */
  boolean isComplete(Transaction transaction, long blockId);

  /** Forgets blocks; their replicas are deleted from the DataNodes later. */
  void remove(Transaction transaction, Collection<FileBlock> blocks);

  void setReplication(Transaction transaction, Collection<FileBlock> blocks, short replication);
}
