package io.acaciafs.namespace.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.OpenFileRecord;

/** The index row of a file under construction: who holds its lease. */
public record OpenFile(String clientName) {

  public byte[] encode() {
    return OpenFileRecord.newBuilder().setClientName(clientName).build().toByteArray();
  }

  public static OpenFile decode(byte[] row) {
    try {
      return new OpenFile(OpenFileRecord.parseFrom(row).getClientName());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not the row of an open file", e);
    }
  }
}
