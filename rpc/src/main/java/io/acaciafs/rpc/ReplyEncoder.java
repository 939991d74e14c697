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

/**
 * Writes a reply, header and message, into one buffer of the exact size, without copies between.
 * Any thread.
 */
final class ReplyEncoder {
  private ReplyEncoder() {}

  /** A reply, or the failure to write it. */
  static ByteBuf success(ByteBufAllocator allocator, CallIds ids, Message reply) {
    try {
      return encode(allocator, header(ids, RpcStatusProto.SUCCESS).build(), reply);
    } catch (RuntimeException | IOException | OutOfMemoryError e) {
      return failure(
          allocator,
          ids,
          new RpcFailure(
              RpcStatusProto.ERROR,
              RpcErrorCodeProto.ERROR_SERIALIZING_RESPONSE,
              e.getClass().getName(),
              StringUtils.stringifyException(e)));
    }
  }

  static ByteBuf failure(ByteBufAllocator allocator, CallIds ids, RpcFailure failure) {
    RpcResponseHeaderProto header =
        header(ids, failure.status())
            .setExceptionClassName(failure.exceptionClassName())
            .setErrorMsg(failure.errorMsg())
            .setErrorDetail(failure.code())
            .build();
    try {
      return encode(allocator, header, null);
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

  private static ByteBuf encode(
      ByteBufAllocator allocator, RpcResponseHeaderProto header, Message message)
      throws IOException {
    int lengthBytes = delimitedBytes(header) + (message == null ? 0 : delimitedBytes(message));
    ByteBuf out = allocator.ioBuffer(Integer.BYTES + lengthBytes);
    try {
      out.writeInt(lengthBytes);
      CodedOutputStream coded =
          CodedOutputStream.newInstance(out.internalNioBuffer(Integer.BYTES, lengthBytes));
      coded.writeUInt32NoTag(header.getSerializedSize());
      header.writeTo(coded);
      if (message != null) {
        coded.writeUInt32NoTag(message.getSerializedSize());
        message.writeTo(coded);
      }
      coded.flush();
      coded.checkNoSpaceLeft();
      return out.writerIndex(Integer.BYTES + lengthBytes);
    } catch (RuntimeException | IOException | OutOfMemoryError e) {
      out.release();
      throw e;
    }
  }

  private static int delimitedBytes(Message message) {
    int bytes = message.getSerializedSize();
    return Math.addExact(bytes, CodedOutputStream.computeUInt32SizeNoTag(bytes));
  }
}
