package io.acaciafs.namespace.token;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.DelegationKeyRecord;
import org.apache.hadoop.security.token.delegation.DelegationKey;

/** The row of a key that passwords are made with: Hadoop's own class, less its id. Stateless. */
public final class MasterKeyRow {
  private MasterKeyRow() {}

  public static byte[] encode(DelegationKey key) {
    DelegationKeyRecord.Builder row =
        DelegationKeyRecord.newBuilder().setExpiryMs(key.getExpiryDate());
    byte[] secret = key.getEncodedKey();
    if (secret != null) {
      row.setKey(ByteString.copyFrom(secret));
    }
    return row.build().toByteArray();
  }

  /**
   * @param id stands in the row's key
   */
  public static DelegationKey decode(int id, byte[] row) {
    try {
      DelegationKeyRecord key = DelegationKeyRecord.parseFrom(row);
      return new DelegationKey(id, key.getExpiryMs(), key.getKey().toByteArray());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not the row of a key of delegation tokens", e);
    }
  }
}
