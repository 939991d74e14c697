package io.acaciafs.namespace.record;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.JobRecord;
import io.acaciafs.namespace.proto.SweepRecord;

/** A directory that left the tree and whose rows are still to be removed. */
public record SweepJob(long directoryId, Locator locator) {

  public byte[] encode() {
    return JobRecord.newBuilder()
        .setSweep(
            SweepRecord.newBuilder()
                .setDirectoryId(directoryId)
                .setLocator(ByteString.copyFrom(locator.toBytes())))
        .build()
        .toByteArray();
  }

  public static SweepJob decode(byte[] row) {
    try {
      SweepRecord sweep = JobRecord.parseFrom(row).getSweep();
      return new SweepJob(sweep.getDirectoryId(), Locator.of(sweep.getLocator().toByteArray()));
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a job", e);
    }
  }
}
