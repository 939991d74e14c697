package io.acaciafs.namespace.record;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.InodeLocationRecord;

/** Where the entry of an inode is: its parent directory and its name there. */
public record InodeLocation(Locator directory, byte[] name) {

  public byte[] encode() {
    return InodeLocationRecord.newBuilder()
        .setLocator(ByteString.copyFrom(directory.toBytes()))
        .setName(ByteString.copyFrom(name))
        .build()
        .toByteArray();
  }

  public static InodeLocation decode(byte[] row) {
    try {
      InodeLocationRecord location = InodeLocationRecord.parseFrom(row);
      return new InodeLocation(
          Locator.of(location.getLocator().toByteArray()), location.getName().toByteArray());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not the location of an inode", e);
    }
  }
}
