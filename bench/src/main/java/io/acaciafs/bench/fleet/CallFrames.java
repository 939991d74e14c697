package io.acaciafs.bench.fleet;

import io.acaciafs.bench.client.Identity;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.random.RandomGenerator;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * The frames of one client's calls of DatanodeProtocol, as Hadoop's RPC has them. For one thread.
 */
final class CallFrames {
  private static final String PROTOCOL = "org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol";

  private final byte[] greeting;
  private final ByteString clientId;
  private int lastCallId;

  /**
   * @param user of the DataNode's process
   */
  CallFrames(String user, RandomGenerator random) {
    byte[] id = new byte[16];
    random.nextBytes(id);
    clientId = ByteString.copyFrom(id);
    greeting = new Identity(user, "", id, 0).greeting(PROTOCOL);
  }

  /** What comes before the first call of a connection. */
  byte[] greeting() {
    return greeting;
  }

  /** Writes a call; its id is another one than that of the last. */
  void write(ByteBuf out, String method, Message request) {
    lastCallId = lastCallId == Integer.MAX_VALUE ? 1 : lastCallId + 1;
    int start = out.writerIndex();
    out.writeInt(0);
    try (ByteBufOutputStream stream = new ByteBufOutputStream(out)) {
      RpcRequestHeaderProto.newBuilder()
          .setRpcKind(RpcKindProto.RPC_PROTOCOL_BUFFER)
          .setRpcOp(OperationProto.RPC_FINAL_PACKET)
          .setCallId(lastCallId)
          .setClientId(clientId)
          .setRetryCount(0)
          .build()
          .writeDelimitedTo(stream);
      RequestHeaderProto.newBuilder()
          .setMethodName(method)
          .setDeclaringClassProtocolName(PROTOCOL)
          .setClientProtocolVersion(1)
          .build()
          .writeDelimitedTo(stream);
      request.writeDelimitedTo(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.setInt(start, out.writerIndex() - start - Integer.BYTES);
  }
}
