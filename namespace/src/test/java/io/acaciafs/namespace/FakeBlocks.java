package io.acaciafs.namespace;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.record.FileBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Blocks as rows of a table of their own, without DataNodes: a block has its replicas at once, or,
 * when {@link #holdReplicas} was called, when {@link #reportReplicas} says so.
 */
public final class FakeBlocks implements FileBlocks {
  public static final Table TABLE = Table.ofSingleRows("fake_blocks");

  private volatile boolean replicasAtOnce = true;
  private volatile boolean hasDataNodes = true;

  private record BlockRow(
      long generationStamp, long length, boolean committed, boolean replicated, short replication) {
    byte[] encode() {
      return ByteBuffer.allocate(20)
          .putLong(generationStamp)
          .putLong(length)
          .put((byte) (committed ? 1 : 0))
          .put((byte) (replicated ? 1 : 0))
          .putShort(replication)
          .array();
    }

    static BlockRow decode(byte[] row) {
      ByteBuffer buffer = ByteBuffer.wrap(row);
      return new BlockRow(
          buffer.getLong(),
          buffer.getLong(),
          buffer.get() == 1,
          buffer.get() == 1,
          buffer.getShort());
    }
  }

  /** From now on blocks wait for their replicas. */
  public void holdReplicas() {
    replicasAtOnce = false;
  }

  public void loseDataNodes() {
    hasDataNodes = false;
  }

  public void reportReplicas(Store store, long blockId) {
    Transaction transaction = store.begin();
    BlockRow row = BlockRow.decode(transaction.get(key(blockId)));
    put(
        transaction,
        blockId,
        new BlockRow(row.generationStamp, row.length, row.committed, true, row.replication));
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

  public static short replicationOf(Reader reader, long blockId) {
    return BlockRow.decode(reader.peek(key(blockId))).replication;
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
            block.block().generationStamp(), 0, false, replicasAtOnce, block.replication()));
    return located(block.block(), block.offsetBytes());
  }

  @Override
  public LocatedBlock locateUnderConstruction(Reader reader, FileBlock block, long offsetBytes) {
    return reader.peek(key(block.id())) == null ? null : located(block, offsetBytes);
  }

  @Override
  public boolean commit(Transaction transaction, FileBlock block) throws IOException {
    byte[] value = transaction.get(key(block.id()));
    if (value == null) {
      throw new IOException("No such block: " + block);
    }
    BlockRow row = BlockRow.decode(value);
    put(
        transaction,
        block.id(),
        new BlockRow(
            row.generationStamp, block.lengthBytes(), true, row.replicated, row.replication));
    return row.replicated;
  }

  @Override
  public boolean isComplete(Transaction transaction, long blockId) {
    byte[] value = transaction.get(key(blockId));
    return value != null && BlockRow.decode(value).committed && BlockRow.decode(value).replicated;
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
      put(
          transaction,
          block.id(),
          new BlockRow(
              row.generationStamp, row.length, row.committed, row.replicated, replication));
    }
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
