package io.acaciafs.blocks.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.proto.CheckRow;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;

/** The rows that ask for a look at all blocks of a storage, and say how far it came. Stateless. */
public final class StorageCheckRows {
  private StorageCheckRows() {}

  /** Has all blocks of a storage looked at, from the first one. */
  public static void begin(Transaction tx, int storageIndex) {
    Key key = BlockKeys.check(storageIndex);
    byte[] old = tx.get(key);
    long round = old == null ? 0 : decode(old).getRound() + 1;
    tx.put(key, CheckRow.newBuilder().setRound(round).build().toByteArray());
  }

  public static CheckRow decode(byte[] value) {
    try {
      return CheckRow.parseFrom(value);
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a row of a check", e);
    }
  }
}
