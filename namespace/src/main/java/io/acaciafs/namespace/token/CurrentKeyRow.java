package io.acaciafs.namespace.token;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.CurrentDelegationKeyRecord;

/**
 * Which key new tokens get.
 *
 * @param id of the key
 * @param sinceMs since the epoch; 0: it is to be replaced at once
 */
public record CurrentKeyRow(int id, long sinceMs) {

  public byte[] encode() {
    return CurrentDelegationKeyRecord.newBuilder()
        .setId(id)
        .setSinceMs(sinceMs)
        .build()
        .toByteArray();
  }

  public static CurrentKeyRow decode(byte[] row) {
    try {
      CurrentDelegationKeyRecord current = CurrentDelegationKeyRecord.parseFrom(row);
      return new CurrentKeyRow(current.getId(), current.getSinceMs());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not the row of the current key of delegation tokens", e);
    }
  }
}
