package io.acaciafs.namespace.testkit;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.check.BlocksOfStore;
import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;

/**
 * Blocks as rows of a table of their own, without DataNodes: a block has its replicas at once, or,
 * when {@link #holdReplicas} was called, when {@link #reportReplicas} says so.
 */
public final class FakeBlocks implements FileBlocks {
  public static final Table TABLE = Table.ofSingleRows("fake_blocks");

  private volatile boolean replicasAtOnce = true;
  private volatile boolean hasDataNodes = true;
  private volatile boolean hasPlaces = true;
  private volatile boolean copiesOnTruncate;
  private volatile NewBlock additional;

  @Override
  public String blockPoolId() {
    return "BP-1";
  }

  private record BlockRow(
      long fileId,
      long generationStamp,
      long length,
      boolean committed,
      boolean replicated,
      short replication,
      long issued,
      long recoveryId,
      long truncateTo,
      long copyId) {

    BlockRow(long fileId, long generationStamp, boolean replicated, short replication) {
      this(fileId, generationStamp, 0, false, replicated, replication, generationStamp, 0, 0, 0);
    }

    BlockRow with(boolean newCommitted, long newLength) {
      return new BlockRow(
          fileId,
          generationStamp,
          newLength,
          newCommitted,
          replicated,
          replication,
          issued,
          recoveryId,
          truncateTo,
          copyId);
    }

    BlockRow with(boolean newReplicated) {
      return new BlockRow(
          fileId,
          generationStamp,
          length,
          committed,
          newReplicated,
          replication,
          issued,
          recoveryId,
          truncateTo,
          copyId);
    }

    BlockRow ofFile(long newFileId, short newReplication) {
      return new BlockRow(
          newFileId,
          generationStamp,
          length,
          committed,
          replicated,
          newReplication,
          issued,
          recoveryId,
          truncateTo,
          copyId);
    }

    BlockRow stamped(long newStamp, long newIssued, long newRecoveryId, long newTruncateTo) {
      return new BlockRow(
          fileId,
          newStamp,
          length,
          committed,
          replicated,
          replication,
          newIssued,
          newRecoveryId,
          newTruncateTo,
          newRecoveryId == 0 ? 0 : copyId);
    }

    BlockRow copiedTo(long newCopyId) {
      return new BlockRow(
          fileId,
          generationStamp,
          length,
          committed,
          replicated,
          replication,
          issued,
          recoveryId,
          truncateTo,
          newCopyId);
    }

    boolean isComplete() {
      return committed && replicated && recoveryId == 0;
    }

    byte[] encode() {
      return ByteBuffer.allocate(60)
          .putLong(fileId)
          .putLong(generationStamp)
          .putLong(length)
          .put((byte) (committed ? 1 : 0))
          .put((byte) (replicated ? 1 : 0))
          .putShort(replication)
          .putLong(issued)
          .putLong(recoveryId)
          .putLong(truncateTo)
          .putLong(copyId)
          .array();
    }

    static BlockRow decode(byte[] row) {
      ByteBuffer buffer = ByteBuffer.wrap(row);
      return new BlockRow(
          buffer.getLong(),
          buffer.getLong(),
          buffer.getLong(),
          buffer.get() == 1,
          buffer.get() == 1,
          buffer.getShort(),
          buffer.getLong(),
          buffer.getLong(),
          buffer.getLong(),
          buffer.getLong());
    }
  }

  /** From now on blocks wait for their replicas. */
  public void holdReplicas() {
    replicasAtOnce = false;
  }

  /** Whether what a truncate keeps of a block is to be another one from now on. */
  public void copyOnTruncate(boolean isWanted) {
    copiesOnTruncate = isWanted;
  }

  public void loseDataNodes() {
    hasDataNodes = false;
  }

  public void reportReplicas(Store store, long blockId) {
    Transaction transaction = store.begin();
    put(transaction, blockId, BlockRow.decode(transaction.get(key(blockId))).with(true));
    transaction.commit().join();
  }

  /** All blocks that have a row. */
  public static Set<Long> ids(Reader reader) {
    Set<Long> ids = new TreeSet<>();
    try (Scan rows = reader.scan(KeyRange.ofTable(TABLE))) {
      while (rows.hasNext()) {
        Row row = rows.next();
        ids.add(ByteBuffer.wrap(row.key().bytes()).getLong());
      }
    }
    return ids;
  }

  /** State, length, highest stamp, and what a recovery under way is to do. */
  public static String describe(Reader reader, long blockId) {
    byte[] value = reader.get(key(blockId));
    if (value == null) {
      return "none";
    }
    BlockRow row = BlockRow.decode(value);
    String state = row.recoveryId != 0 ? "RECOVERING" : row.committed ? "COMMITTED" : "WRITTEN";
    return state
        + "/"
        + row.generationStamp
        + "/"
        + row.length
        + "/"
        + row.issued
        + "/"
        + row.recoveryId
        + "/"
        + row.truncateTo;
  }

  public static short replicationOf(Reader reader, long blockId) {
    return BlockRow.decode(reader.get(key(blockId))).replication;
  }

  @Override
  public LocatedBlock allocate(Transaction transaction, NewBlock block) throws IOException {
    if (!hasDataNodes) {
      throw new IOException("There are 0 datanode(s) running");
    }
    put(
        transaction,
        block.block().id(),
        new BlockRow(
            block.file().id(),
            block.block().generationStamp(),
            replicasAtOnce,
            block.file().replication()));
    return located(block.block(), block.offsetBytes());
  }

  @Override
  public LocatedBlock locateUnderConstruction(Reader reader, FileBlock block, long offsetBytes) {
    return reader.get(key(block.id())) == null ? null : located(block, offsetBytes);
  }

  @Override
  public boolean commit(Transaction transaction, FileBlock block) throws IOException {
    BlockRow row = require(transaction, block.id());
    if (row.recoveryId != 0) {
      throw new IOException("Under recovery: " + block);
    }
    if (row.generationStamp != block.generationStamp()
        || block.lengthBytes() < row.length
        || row.committed && block.lengthBytes() != row.length) {
      throw new IOException("Not the block that is there: " + block);
    }
    put(transaction, block.id(), row.with(true, block.lengthBytes()));
    return row.replicated;
  }

  @Override
  public boolean isComplete(Transaction transaction, long blockId) {
    byte[] value = transaction.get(key(blockId));
    return value != null && BlockRow.decode(value).isComplete();
  }

  @Override
  public boolean isSufficientlyReplicated(Transaction transaction, long blockId) {
    return hasDataNodes && isComplete(transaction, blockId);
  }

  @Override
  public void remove(Transaction transaction, Collection<FileBlock> blocks) {
    blocks.forEach(block -> transaction.delete(key(block.id())));
  }

  @Override
  public void setReplication(
      Transaction transaction, Collection<FileBlock> blocks, short replication) {
    for (FileBlock block : blocks) {
      BlockRow row = BlockRow.decode(transaction.get(key(block.id())));
      put(transaction, block.id(), row.ofFile(row.fileId, replication));
    }
  }

  @Override
  public BlockStatus status(Transaction transaction, long blockId) {
    byte[] value = transaction.get(key(blockId));
    if (value == null) {
      return null;
    }
    BlockRow row = BlockRow.decode(value);
    BlockUCState state =
        row.recoveryId != 0
            ? BlockUCState.UNDER_RECOVERY
            : !row.committed
                ? BlockUCState.UNDER_CONSTRUCTION
                : row.replicated ? BlockUCState.COMPLETE : BlockUCState.COMMITTED;
    return new BlockStatus(
        row.fileId, state, row.recoveryId, row.truncateTo, row.copyId, hasPlaces);
  }

  /** From now on no DataNode ever got any of an open block. */
  public void losePlaces() {
    hasPlaces = false;
  }

  @Override
  public LocatedBlock issueGenerationStamp(Transaction transaction, long blockId)
      throws IOException {
    BlockRow row = require(transaction, blockId);
    put(
        transaction,
        blockId,
        row.stamped(row.generationStamp, row.issued + 1, row.recoveryId, row.truncateTo));
    return located(new FileBlock(blockId, row.issued + 1, row.length), -1);
  }

  @Override
  public void updatePipeline(
      Transaction transaction,
      FileBlock updated,
      List<? extends DatanodeID> nodes,
      List<String> storageIds)
      throws IOException {
    BlockRow row = require(transaction, updated.id());
    long stamp = updated.generationStamp();
    put(
        transaction,
        updated.id(),
        row.stamped(stamp, Math.max(stamp, row.issued), 0, 0).with(false, updated.lengthBytes()));
  }

  @Override
  public LocatedBlock additionalTargets(
      NewBlock block, List<DatanodeInfo> existing, List<String> storageIds) {
    additional = block;
    return located(block.block(), -1);
  }

  /** What was asked for the last time that a pipeline wanted more DataNodes. */
  public NewBlock additional() {
    return additional;
  }

  @Override
  public LocatedBlock reopen(Transaction transaction, FileBlock block, long offsetBytes)
      throws IOException {
    put(transaction, block.id(), require(transaction, block.id()).with(false, block.lengthBytes()));
    return located(block, offsetBytes);
  }

  @Override
  public void recover(
      Transaction transaction, long blockId, long truncateToBytes, LongSupplier newBlockId)
      throws IOException {
    BlockRow row = require(transaction, blockId);
    if (row.recoveryId == 0) {
      boolean isCopied = copiesOnTruncate && truncateToBytes > 0;
      put(
          transaction,
          blockId,
          row.stamped(row.generationStamp, row.issued + 1, row.issued + 1, truncateToBytes)
              .copiedTo(isCopied ? newBlockId.getAsLong() : 0));
    }
  }

  @Override
  public boolean recovered(
      Transaction transaction,
      long blockId,
      FileBlock block,
      List<? extends DatanodeID> nodes,
      List<String> storageIds)
      throws IOException {
    BlockRow row = require(transaction, blockId);
    if (block.id() != blockId) {
      transaction.delete(key(blockId));
    }
    put(
        transaction,
        block.id(),
        row.stamped(block.generationStamp(), row.issued, 0, 0)
            .with(true, block.lengthBytes())
            .with(!nodes.isEmpty()));
    return !nodes.isEmpty();
  }

  @Override
  public void reassign(
      Transaction transaction, Collection<FileBlock> blocks, long fileId, short replication) {
    for (FileBlock block : blocks) {
      BlockRow row = BlockRow.decode(transaction.get(key(block.id())));
      put(transaction, block.id(), row.ofFile(fileId, replication));
    }
  }

  /** As the check of a store sees them. */
  public static BlocksOfStore ofStore() {
    return new BlocksOfStore() {
      @Override
      public Known read(Reader reader, long blockId) {
        byte[] row = reader.get(FakeBlocks.key(blockId));
        if (row == null) {
          return null;
        }
        BlockRow block = BlockRow.decode(row);
        return new Known(
            block.fileId(),
            block.replication(),
            block.committed(),
            block.generationStamp(),
            block.length());
      }

      @Override
      public Key key(long blockId) {
        return FakeBlocks.key(blockId);
      }

      @Override
      public void restore(
          Transaction transaction, FileInode file, FileBlock block, boolean isBeingWritten) {
        BlockRow row = new BlockRow(file.id(), block.generationStamp(), false, file.replication());
        put(transaction, block.id(), row.with(!isBeingWritten, block.lengthBytes()));
      }

      @Override
      public void assign(Transaction transaction, FileInode file, long blockId) {
        BlockRow row = BlockRow.decode(transaction.get(FakeBlocks.key(blockId)));
        put(transaction, blockId, row.ofFile(file.id(), file.replication()));
      }
    };
  }

  private static BlockRow require(Transaction transaction, long blockId) throws IOException {
    byte[] value = transaction.get(key(blockId));
    if (value == null) {
      throw new IOException("No such block: " + blockId);
    }
    return BlockRow.decode(value);
  }

  private static void put(Transaction transaction, long blockId, BlockRow row) {
    transaction.put(key(blockId), row.encode());
  }

  private static Key key(long blockId) {
    return new Key(TABLE, ByteBuffer.allocate(Long.BYTES).putLong(blockId).array());
  }

  private static LocatedBlock located(FileBlock block, long offsetBytes) {
    LocatedBlock located =
        new LocatedBlock(new ExtendedBlock("pool", block.toBlock()), new DatanodeInfo[0]);
    located.setStartOffset(offsetBytes);
    return located;
  }
}
