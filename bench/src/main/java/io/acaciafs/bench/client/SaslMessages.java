package io.acaciafs.bench.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.jspecify.annotations.Nullable;

/** SASL messages as frames. Stateless. Source: {@code SaslRpcClient}. */
final class SaslMessages {
  private static final int CALL_ID = -33;

  private static final RpcRequestHeaderProto HEADER =
      RpcRequestHeaderProto.newBuilder()
          .setRpcKind(RpcKindProto.RPC_PROTOCOL_BUFFER)
          .setRpcOp(OperationProto.RPC_FINAL_PACKET)
          .setCallId(CALL_ID)
          .setClientId(ByteString.copyFrom(RpcConstants.DUMMY_CLIENT_ID))
          .setRetryCount(RpcConstants.INVALID_RETRY_COUNT)
          .build();

  private SaslMessages() {}

  /** Appends a frame with a message. */
  static void write(ByteBuf out, RpcSaslProto message) {
    int bytes = delimited(HEADER.getSerializedSize()) + delimited(message.getSerializedSize());
    out.writeInt(bytes);
    try (ByteBufOutputStream stream = new ByteBufOutputStream(out)) {
      HEADER.writeDelimitedTo(stream);
      message.writeDelimitedTo(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int delimited(int bytes) {
    return bytes + CodedOutputStream.computeUInt32SizeNoTag(bytes);
  }

  /**
   * Takes the message of the first frame.
   *
   * @return null: the frame is not whole yet
   * @throws IOException with what the server says where that is a refusal
   */
  static @Nullable RpcSaslProto next(ByteBuf in) throws IOException {
    if (in.readableBytes() < Integer.BYTES) {
      return null;
    }
    int lengthBytes = in.getInt(in.readerIndex());
    return in.readableBytes() < Integer.BYTES + lengthBytes
        ? null
        : read(in.skipBytes(Integer.BYTES).readSlice(lengthBytes));
  }

  /**
   * Reads the message of a frame.
   *
   * @param frame without its length
   * @throws IOException with what the server says where that is a refusal
   */
  static RpcSaslProto read(ByteBuf frame) throws IOException {
    try (ByteBufInputStream in = new ByteBufInputStream(frame)) {
      RpcResponseHeaderProto header = RpcResponseHeaderProto.parseDelimitedFrom(in);
      if (header.getStatus() != RpcStatusProto.SUCCESS) {
        throw new IOException(header.getExceptionClassName() + ": " + header.getErrorMsg());
      }
      return RpcSaslProto.parseDelimitedFrom(in);
    }
  }
}
