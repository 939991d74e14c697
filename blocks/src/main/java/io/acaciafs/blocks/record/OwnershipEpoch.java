package io.acaciafs.blocks.record;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;

/**
 * What this NameNode tells DataNodes in the place of HDFS's transaction id: of two that claim to be
 * active a DataNode believes the one with the higher number, and it never expects the number to
 * fall (BPOfferService.updateActorStatesFromHeartbeat). Where several NameNodes serve, each
 * DataNode has a number of its own, in its {@link Owner}, which grows from here. Where one NameNode
 * owns every DataNode for ever it never grows; but DataNodes that come from another NameNode have
 * heard higher ones. Stateless.
 */
public final class OwnershipEpoch {
  private static final long FIRST = 1;

  private OwnershipEpoch() {}

  public static long read(Reader reader) {
    byte[] row = reader.get(BlockKeys.ownershipEpoch());
    return row == null ? FIRST : ByteBuffer.wrap(row).getLong();
  }

  public static void write(Transaction tx, long epoch) {
    tx.put(BlockKeys.ownershipEpoch(), ByteBuffer.allocate(Long.BYTES).putLong(epoch).array());
  }
}
