package io.acaciafs.blocks.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.proto.CheckRow;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.util.concurrent.ThreadLocalRandom;

/** The rows that ask for a look at all blocks of a storage, and say how far it came. Stateless. */
public final class StorageCheckRows {
  private StorageCheckRows() {}

  /**
   * Has all blocks of a storage looked at, from the first one. The round is like no other: one that
   * ended may be remembered still, with what all NameNodes had to know before it.
   */
  public static void begin(Transaction tx, int storageIndex) {
    long round = ThreadLocalRandom.current().nextLong();
    tx.put(
        BlockKeys.check(storageIndex), CheckRow.newBuilder().setRound(round).build().toByteArray());
  }

  public static CheckRow decode(byte[] value) {
    try {
      return CheckRow.parseFrom(value);
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a row of a check", e);
    }
  }
}
