package io.acaciafs.blocks.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.proto.InvalidationRow;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes of block rows and of the rows that follow them: the replica index and the
 * invalidations. Stateless.
 */
public final class BlockRows {
  private static final byte[] NOTHING = new byte[0];

  private BlockRows() {}

  /** The block's row, guarded; null where there is none. */
  public static @Nullable BlockRecord get(Transaction tx, long blockId) {
    byte[] row = tx.get(BlockKeys.block(blockId));
    return row == null ? null : BlockRecord.decode(row);
  }

  /** The block's latest committed row; null where there is none. */
  public static @Nullable BlockRecord read(Reader reader, long blockId) {
    byte[] row = reader.get(BlockKeys.block(blockId));
    return row == null ? null : BlockRecord.decode(row);
  }

  /**
   * A reader for a caller that is going to {@link #read} these blocks: it has their rows as of this
   * call, which took one round trip, where reads take a network. With local reads, the store.
   *
   * @param blockIds some thousand at most, as all rows are held
   * @return for one thread
   */
  public static Reader prefetch(Store store, LongStream blockIds) {
    if (store.traits().localReads()) {
      return store;
    }
    Transaction transaction = store.begin();
    transaction.remoteReads().prefetch(blockIds.mapToObj(BlockKeys::block).toList());
    return transaction.unguarded();
  }

  public static void put(Transaction tx, long blockId, BlockRecord record) {
    tx.put(BlockKeys.block(blockId), record.encode());
  }

  public static void delete(Transaction tx, long blockId) {
    tx.delete(BlockKeys.block(blockId));
  }

  public static void addToIndex(Transaction tx, int storage, long blockId) {
    tx.putIndex(BlockKeys.replica(storage, blockId), NOTHING);
  }

  public static void removeFromIndex(Transaction tx, int storage, long blockId) {
    tx.deleteIndex(BlockKeys.replica(storage, blockId));
  }

  /**
   * The generation stamp of the replica that is to be deleted there, guarded. That there is none is
   * not guarded: the guard would lie in another region than the block's row.
   */
  public static OptionalLong invalidation(Transaction tx, int storage, long blockId) {
    Key key = BlockKeys.invalidation(storage, blockId);
    byte[] row = tx.unguarded().get(key) == null ? null : tx.get(key);
    return row == null ? OptionalLong.empty() : OptionalLong.of(generationStampIn(row));
  }

  /** See {@code Invalidations.queue}, which also sees to it that the row is noticed. */
  public static void putInvalidation(
      Transaction tx, int storage, long blockId, long generationStamp) {
    tx.put(
        BlockKeys.invalidation(storage, blockId),
        InvalidationRow.newBuilder().setGenerationStamp(generationStamp).build().toByteArray());
  }

  public static void forgetInvalidation(Transaction tx, int storage, long blockId) {
    tx.delete(BlockKeys.invalidation(storage, blockId));
  }

  public static long generationStampIn(byte @Nullable [] invalidationRow) {
    try {
      return InvalidationRow.parseFrom(invalidationRow).getGenerationStamp();
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not an invalidation row", e);
    }
  }
}
