package io.acaciafs.namespace.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.FormerDirectoryRecord;

/**
 * A directory that lost its name, as it was renamed or removed.
 *
 * @param buckets as they were then
 * @param timeMs when, by the time for which NameNodes have run
 */
public record FormerDirectory(Buckets buckets, long timeMs) {

  public byte[] encode() {
    FormerDirectoryRecord.Builder row = FormerDirectoryRecord.newBuilder().setTimeMs(timeMs);
    if (!buckets.isOne()) {
      row.setBuckets(buckets.toRecord());
    }
    return row.build().toByteArray();
  }

  public static FormerDirectory decode(byte[] row) {
    try {
      FormerDirectoryRecord record = FormerDirectoryRecord.parseFrom(row);
      return new FormerDirectory(Buckets.of(record.getBuckets()), record.getTimeMs());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a former directory", e);
    }
  }
}
