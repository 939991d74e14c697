package io.acaciafs.blocks.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.proto.TruncateCopyRow;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;

/**
 * Which blocks DataNodes are making of a part of another one: what a truncate keeps of it during a
 * rolling upgrade. Such a block has no row in {@code blocks} until all is done, and a DataNode that
 * reports it before must not be told to delete it. Stateless.
 */
public final class TruncateCopies {
  private TruncateCopies() {}

  /** The recovery of the source names this copy from now on. */
  public static void put(Transaction tx, long copyId, long sourceId) {
    tx.put(
        BlockKeys.truncateCopy(copyId),
        TruncateCopyRow.newBuilder().setSourceId(sourceId).build().toByteArray());
  }

  public static void forget(Transaction tx, long copyId) {
    tx.delete(BlockKeys.truncateCopy(copyId));
  }

  /** Whether the last attempt of a recovery makes this block. Guards all that says so. */
  public static boolean isBeingMade(Transaction tx, long blockId) {
    byte[] row = tx.get(BlockKeys.truncateCopy(blockId));
    if (row == null) {
      return false;
    }
    BlockRecord source = BlockRows.get(tx, sourceIdIn(row));
    return source != null && source.construction().copyId() == blockId;
  }

  private static long sourceIdIn(byte[] row) {
    try {
      return TruncateCopyRow.parseFrom(row).getSourceId();
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not the row of a copy", e);
    }
  }
}
