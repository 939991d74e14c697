package io.acaciafs.namespace.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.RetryRecord;
import io.acaciafs.wire.WireWriter;

/**
 * What a call was answered.
 *
 * @param answer a truth value as 0 or 1, or an inode id
 * @param timeMs by the time for which NameNodes have run
 */
public record RetryEntry(long answer, long timeMs) {
  private static final int EXPECTED_BYTES = 24;

  public byte[] encode() {
    WireWriter row = new WireWriter(EXPECTED_BYTES);
    row.numberUnlessZero(RetryRecord.TIME_MS_FIELD_NUMBER, timeMs);
    row.numberUnlessZero(RetryRecord.ANSWER_FIELD_NUMBER, answer);
    return row.toBytes();
  }

  public static RetryEntry decode(byte[] row) {
    try {
      RetryRecord record = RetryRecord.parseFrom(row);
      return new RetryEntry(record.getAnswer(), record.getTimeMs());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a retry entry", e);
    }
  }
}
