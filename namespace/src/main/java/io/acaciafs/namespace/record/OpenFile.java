package io.acaciafs.namespace.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.OpenFileRecord;
import io.acaciafs.wire.WireWriter;

/**
 * The index row of a file under construction.
 *
 * @param clientName the holder of its lease
 * @param isRecovering whether it is to be closed without its writer, as soon as that is possible
 */
public record OpenFile(String clientName, boolean isRecovering) {
  private static final int EXPECTED_BYTES = 64;

  public byte[] encode() {
    WireWriter row = new WireWriter(EXPECTED_BYTES);
    row.numberUnlessZero(OpenFileRecord.RECOVERING_FIELD_NUMBER, isRecovering ? 1 : 0);
    row.textUnlessEmpty(OpenFileRecord.CLIENT_NAME_FIELD_NUMBER, clientName);
    return row.toBytes();
  }

  public static OpenFile decode(byte[] row) {
    try {
      OpenFileRecord openFile = OpenFileRecord.parseFrom(row);
      return new OpenFile(openFile.getClientName(), openFile.getRecovering());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not the row of an open file", e);
    }
  }
}
