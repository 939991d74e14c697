package io.acaciafs.bench.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.UserInformationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Who a connection says it is.
 *
 * @param user the one that it names; null: none, as it has proved which it is
 * @param clientName holds the leases
 * @param clientId sixteen bytes; with the call id it makes a call unique
 * @param seenState what its calls tell an observer that it has seen; 0: nothing
 */
public record Identity(@Nullable String user, String clientName, byte[] clientId, long seenState) {
  static final String PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol";

  private static final int AUTH_SASL = -33;

  /** What a client sends before its first call that proves nothing: preamble and context. */
  byte[] greeting() {
    return greeting(PROTOCOL);
  }

  /** The same before calls of another protocol. */
  public byte[] greeting(String protocol) {
    byte[] preamble = preamble(false);
    byte[] context = context(protocol);
    return ByteBuffer.allocate(preamble.length + context.length).put(preamble).put(context).array();
  }

  /** The first bytes of a connection. */
  static byte[] preamble(boolean sasl) {
    ByteBuffer bytes = ByteBuffer.allocate(7).put("hrpc".getBytes(StandardCharsets.US_ASCII));
    return bytes
        .put(RpcConstants.CURRENT_VERSION)
        .put((byte) 0)
        .put((byte) (sasl ? AUTH_SASL : 0))
        .array();
  }

  /** The frame that names the user and the protocol. */
  byte[] context() {
    return context(PROTOCOL);
  }

  private byte[] context(String protocol) {
    RpcRequestHeaderProto header =
        RpcRequestHeaderProto.newBuilder()
            .setRpcKind(RpcKindProto.RPC_PROTOCOL_BUFFER)
            .setRpcOp(OperationProto.RPC_FINAL_PACKET)
            .setCallId(RpcConstants.CONNECTION_CONTEXT_CALL_ID)
            .setClientId(ByteString.copyFrom(clientId))
            .setRetryCount(RpcConstants.INVALID_RETRY_COUNT)
            .build();
    UserInformationProto.Builder info = UserInformationProto.newBuilder();
    if (user != null) {
      info.setEffectiveUser(user);
    }
    IpcConnectionContextProto context =
        IpcConnectionContextProto.newBuilder().setUserInfo(info).setProtocol(protocol).build();
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    try {
      header.writeDelimitedTo(frame);
      context.writeDelimitedTo(frame);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteBuffer.allocate(Integer.BYTES + frame.size())
        .putInt(frame.size())
        .put(frame.toByteArray())
        .array();
  }
}
