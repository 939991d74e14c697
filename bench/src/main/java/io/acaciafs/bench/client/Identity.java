package io.acaciafs.bench.client;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.UserInformationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * Who a connection says it is.
 *
 * @param user by Hadoop's SIMPLE authentication
 * @param clientName holds the leases
 * @param clientId sixteen bytes; with the call id it makes a call unique
 * @param seenState what its calls tell an observer that it has seen; 0: nothing
 */
record Identity(String user, String clientName, byte[] clientId, long seenState) {
  static final String PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol";

  /** What a client sends before its first call: preamble and connection context. */
  byte[] greeting() {
    RpcRequestHeaderProto header =
        RpcRequestHeaderProto.newBuilder()
            .setRpcKind(RpcKindProto.RPC_PROTOCOL_BUFFER)
            .setRpcOp(OperationProto.RPC_FINAL_PACKET)
            .setCallId(RpcConstants.CONNECTION_CONTEXT_CALL_ID)
            .setClientId(ByteString.copyFrom(clientId))
            .setRetryCount(RpcConstants.INVALID_RETRY_COUNT)
            .build();
    IpcConnectionContextProto context =
        IpcConnectionContextProto.newBuilder()
            .setUserInfo(UserInformationProto.newBuilder().setEffectiveUser(user))
            .setProtocol(PROTOCOL)
            .build();
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      header.writeDelimitedTo(frame);
      context.writeDelimitedTo(frame);
      DataOutputStream out = new DataOutputStream(all);
      out.write("hrpc".getBytes(StandardCharsets.US_ASCII));
      out.write(new byte[] {RpcConstants.CURRENT_VERSION, 0, 0});
      out.writeInt(frame.size());
      frame.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.toByteArray();
  }
}
