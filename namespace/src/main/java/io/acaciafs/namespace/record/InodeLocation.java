package io.acaciafs.namespace.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.InodeLocationRecord;
import io.acaciafs.wire.WireWriter;

/** Where the entry of an inode is: its parent directory and its name there. */
public record InodeLocation(Locator directory, byte[] name) {
  private static final int EXPECTED_BYTES = 2 * Locator.LENGTH;

  public byte[] encode() {
    WireWriter row = new WireWriter(EXPECTED_BYTES + name.length);
    row.bytesUnlessEmpty(InodeLocationRecord.NAME_FIELD_NUMBER, name);
    row.bytesUnlessEmpty(InodeLocationRecord.LOCATOR_FIELD_NUMBER, directory.toBytes());
    return row.toBytes();
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
