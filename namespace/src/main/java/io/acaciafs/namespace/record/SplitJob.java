package io.acaciafs.namespace.record;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.JobRecord;
import io.acaciafs.namespace.proto.SplitRecord;

/**
 * A bucket of a directory that is being divided in two.
 *
 * @param filling the new one
 * @param reached all names up to this one are where they belong; empty at the beginning
 */
@SuppressWarnings("ArrayRecordComponent") // a name
public record SplitJob(long directoryId, int filling, byte[] reached) {

  public byte[] encode() {
    return JobRecord.newBuilder()
        .setSplit(
            SplitRecord.newBuilder()
                .setDirectoryId(directoryId)
                .setFilling(filling)
                .setReached(ByteString.copyFrom(reached)))
        .build()
        .toByteArray();
  }

  public static SplitJob decode(byte[] row) {
    try {
      SplitRecord split = JobRecord.parseFrom(row).getSplit();
      return new SplitJob(
          split.getDirectoryId(), split.getFilling(), split.getReached().toByteArray());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a job", e);
    }
  }
}
