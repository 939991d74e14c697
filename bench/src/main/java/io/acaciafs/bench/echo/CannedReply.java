package io.acaciafs.bench.echo;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;

/** One reply for all calls, but for the call id. Immutable. */
final class CannedReply {
  /** Of four bytes on the wire, as the load generator's. */
  private static final int SOME_CALL_ID = 1 << 21;

  private static final int CALL_ID_OFFSET = 2;

  private final byte[] bytes;

  /**
   * @param messageBytes of the message behind the header
   */
  CannedReply(int messageBytes) {
    RpcResponseHeaderProto header =
        RpcResponseHeaderProto.newBuilder()
            .setCallId(SOME_CALL_ID)
            .setStatus(RpcStatusProto.SUCCESS)
            .setServerIpcVersionNum(RpcConstants.CURRENT_VERSION)
            .setClientId(ByteString.copyFrom(new byte[16]))
            .setRetryCount(0)
            .build();
    // its end is that of a message whose only field is true
    byte[] message = new byte[messageBytes];
    message[messageBytes - 1] = 1;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      header.writeDelimitedTo(out);
      CodedOutputStream coded = CodedOutputStream.newInstance(out);
      coded.writeByteArrayNoTag(message);
      coded.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    bytes = out.toByteArray();
  }

  void write(ByteBuf out, int callId) {
    int start = out.writeInt(bytes.length).writerIndex() + CALL_ID_OFFSET;
    out.writeBytes(bytes);
    out.setByte(start, callId & 0x7f | 0x80);
    out.setByte(start + 1, callId >>> 7 & 0x7f | 0x80);
    out.setByte(start + 2, callId >>> 14 & 0x7f | 0x80);
    out.setByte(start + 3, callId >>> 21);
  }
}
