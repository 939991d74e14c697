package io.acaciafs.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.StringUtils;

/** Writes replies, header and message, into a buffer, without copies between. Any thread. */
final class ReplyEncoder {
  private ReplyEncoder() {}

  /** A reply in a buffer of its own, or the failure to write it. */
  static ByteBuf success(ByteBufAllocator allocator, CallIds ids, Message reply) {
    ByteBuf out = allocator.ioBuffer();
    append(out, ids, reply);
    return out;
  }

  /** Appends a reply, or the failure to write it. */
  static void append(ByteBuf out, CallIds ids, Message reply) {
    try {
      append(out, header(ids, RpcStatusProto.SUCCESS).build(), reply);
    } catch (RuntimeException | IOException | OutOfMemoryError e) {
      append(
          out,
          ids,
          new RpcFailure(
              RpcStatusProto.ERROR,
              RpcErrorCodeProto.ERROR_SERIALIZING_RESPONSE,
              e.getClass().getName(),
              StringUtils.stringifyException(e)));
    }
  }

  /** Appends a reply whose message is encoded already. */
  static void append(ByteBuf out, CallIds ids, byte[] message) {
    RpcResponseHeaderProto header = header(ids, RpcStatusProto.SUCCESS).build();
    int lengthBytes =
        delimitedBytes(header)
            + CodedOutputStream.computeUInt32SizeNoTag(message.length)
            + message.length;
    int start = out.writerIndex();
    out.ensureWritable(Math.addExact(Integer.BYTES, lengthBytes));
    CodedOutputStream coded =
        CodedOutputStream.newInstance(out.internalNioBuffer(start + Integer.BYTES, lengthBytes));
    try {
      coded.writeUInt32NoTag(header.getSerializedSize());
      header.writeTo(coded);
      coded.writeByteArrayNoTag(message);
      coded.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.writeInt(lengthBytes).writerIndex(start + Integer.BYTES + lengthBytes);
  }

  /** A failure in a buffer of its own. */
  static ByteBuf failure(ByteBufAllocator allocator, CallIds ids, RpcFailure failure) {
    ByteBuf out = allocator.ioBuffer();
    append(out, ids, failure);
    return out;
  }

  private static void append(ByteBuf out, CallIds ids, RpcFailure failure) {
    RpcResponseHeaderProto header =
        header(ids, failure.status())
            .setExceptionClassName(failure.exceptionClassName())
            .setErrorMsg(failure.errorMsg())
            .setErrorDetail(failure.code())
            .build();
    try {
      append(out, header, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RpcResponseHeaderProto.Builder header(CallIds ids, RpcStatusProto status) {
    return RpcResponseHeaderProto.newBuilder()
        .setCallId(ids.callId())
        .setStatus(status)
        .setServerIpcVersionNum(RpcConstants.CURRENT_VERSION)
        .setClientId(ids.clientId())
        .setRetryCount(ids.retryCount());
  }

  private static void append(ByteBuf out, RpcResponseHeaderProto header, Message message)
      throws IOException {
    int lengthBytes = delimitedBytes(header) + (message == null ? 0 : delimitedBytes(message));
    int start = out.writerIndex();
    out.ensureWritable(Math.addExact(Integer.BYTES, lengthBytes));
    CodedOutputStream coded =
        CodedOutputStream.newInstance(out.internalNioBuffer(start + Integer.BYTES, lengthBytes));
    coded.writeUInt32NoTag(header.getSerializedSize());
    header.writeTo(coded);
    if (message != null) {
      coded.writeUInt32NoTag(message.getSerializedSize());
      message.writeTo(coded);
    }
    coded.flush();
    coded.checkNoSpaceLeft();
    out.writeInt(lengthBytes).writerIndex(start + Integer.BYTES + lengthBytes);
  }

  private static int delimitedBytes(Message message) {
    int bytes = message.getSerializedSize();
    return Math.addExact(bytes, CodedOutputStream.computeUInt32SizeNoTag(bytes));
  }
}
