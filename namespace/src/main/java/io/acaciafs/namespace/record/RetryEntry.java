package io.acaciafs.namespace.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.RetryRecord;

/** What a call was answered: a truth value as 0 or 1, or an inode id. */
public record RetryEntry(long answer) {

  public byte[] encode() {
    return RetryRecord.newBuilder().setAnswer(answer).build().toByteArray();
  }

  public static RetryEntry decode(byte[] row) {
    try {
      return new RetryEntry(RetryRecord.parseFrom(row).getAnswer());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a retry entry", e);
    }
  }
}
