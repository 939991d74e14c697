package io.acaciafs.namespace.record;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.JobRecord;
import io.acaciafs.namespace.proto.SweepRecord;

/** A directory that left the tree and whose rows are still to be removed. */
public record SweepJob(long directoryId, Locator locator, Buckets buckets) {

  /** Of one with one bucket. */
  public SweepJob(long directoryId, Locator locator) {
    this(directoryId, locator, Buckets.ONE);
  }

  public byte[] encode() {
    SweepRecord.Builder sweep =
        SweepRecord.newBuilder()
            .setDirectoryId(directoryId)
            .setLocator(ByteString.copyFrom(locator.toBytes()));
    if (!buckets.isOne()) {
      sweep.setBuckets(buckets.toRecord());
    }
    return JobRecord.newBuilder().setSweep(sweep).build().toByteArray();
  }

  public static SweepJob decode(byte[] row) {
    try {
      SweepRecord sweep = JobRecord.parseFrom(row).getSweep();
      return new SweepJob(
          sweep.getDirectoryId(),
          Locator.of(sweep.getLocator().toByteArray()),
          Buckets.of(sweep.getBuckets()));
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a job", e);
    }
  }
}
