package io.acaciafs.rpc.codec;

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

/** Encodes replies, header and message, directly into a buffer. Any thread. */
public final class ReplyEncoder {
  private static final int SUCCESS = RpcStatusProto.SUCCESS_VALUE;
  private static final int VERSION = RpcConstants.CURRENT_VERSION;

  /** For a reply that tells of no state. */
  public static final long NO_STATE = 0;

  private ReplyEncoder() {}

  /** A reply in a buffer of its own, or the failure to write it. */
  public static ByteBuf success(
      ByteBufAllocator allocator, CallIds ids, long stateId, Message reply) {
    ByteBuf out = allocator.ioBuffer();
    append(out, ids, stateId, reply);
    return out;
  }

  /**
   * Appends a reply, or the failure to write it.
   *
   * @param stateId the last one of the server; or {@link #NO_STATE}
   */
  public static void append(ByteBuf out, CallIds ids, long stateId, Message reply) {
    try {
      appendSuccess(out, ids, stateId, reply.getSerializedSize(), reply::writeTo);
    } catch (RuntimeException | IOException | OutOfMemoryError e) {
      append(
          out,
          ids,
          stateId,
          new RpcFailure(
              RpcStatusProto.ERROR,
              RpcErrorCodeProto.ERROR_SERIALIZING_RESPONSE,
              e.getClass().getName(),
              StringUtils.stringifyException(e)));
    }
  }

  /**
   * Appends a reply with an encoded message.
   *
   * @param bytes the message from {@code offset} to their end
   */
  public static void append(ByteBuf out, CallIds ids, long stateId, byte[] bytes, int offset) {
    int length = bytes.length - offset;
    try {
      appendSuccess(out, ids, stateId, length, coded -> coded.writeRawBytes(bytes, offset, length));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A failure in a buffer of its own. */
  public static ByteBuf failure(
      ByteBufAllocator allocator, CallIds ids, long stateId, RpcFailure failure) {
    ByteBuf out = allocator.ioBuffer();
    append(out, ids, stateId, failure);
    return out;
  }

  private static void append(ByteBuf out, CallIds ids, long stateId, RpcFailure failure) {
    RpcResponseHeaderProto.Builder built =
        RpcResponseHeaderProto.newBuilder()
            .setCallId(ids.callId())
            .setStatus(failure.status())
            .setServerIpcVersionNum(RpcConstants.CURRENT_VERSION)
            .setClientId(ids.clientId())
            .setRetryCount(ids.retryCount())
            .setExceptionClassName(failure.exceptionClassName())
            .setErrorMsg(failure.errorMsg())
            .setErrorDetail(failure.code());
    if (stateId != NO_STATE) {
      built.setStateId(stateId);
    }
    RpcResponseHeaderProto header = built.build();
    int headerBytes = delimited(header.getSerializedSize());
    int start = out.writerIndex();
    try {
      CodedOutputStream coded = begin(out, headerBytes);
      coded.writeUInt32NoTag(header.getSerializedSize());
      header.writeTo(coded);
      end(out, coded, start, headerBytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the fields of the header as protobuf would, without building it. */
  private static void appendSuccess(
      ByteBuf out, CallIds ids, long stateId, int messageBytes, MessageBytes message)
      throws IOException {
    int headerBytes = successHeaderBytes(ids, stateId);
    int lengthBytes = Math.addExact(delimited(headerBytes), delimited(messageBytes));
    int start = out.writerIndex();
    CodedOutputStream coded = begin(out, lengthBytes);
    coded.writeUInt32NoTag(headerBytes);
    coded.writeUInt32(RpcResponseHeaderProto.CALLID_FIELD_NUMBER, ids.callId());
    coded.writeEnum(RpcResponseHeaderProto.STATUS_FIELD_NUMBER, SUCCESS);
    coded.writeUInt32(RpcResponseHeaderProto.SERVERIPCVERSIONNUM_FIELD_NUMBER, VERSION);
    coded.writeBytes(RpcResponseHeaderProto.CLIENTID_FIELD_NUMBER, ids.clientId());
    coded.writeSInt32(RpcResponseHeaderProto.RETRYCOUNT_FIELD_NUMBER, ids.retryCount());
    if (stateId != NO_STATE) {
      coded.writeInt64(RpcResponseHeaderProto.STATEID_FIELD_NUMBER, stateId);
    }
    coded.writeUInt32NoTag(messageBytes);
    message.writeTo(coded);
    end(out, coded, start, lengthBytes);
  }

  /** A message, built or encoded already. */
  @FunctionalInterface
  private interface MessageBytes {
    void writeTo(CodedOutputStream out) throws IOException;
  }

  private static int successHeaderBytes(CallIds ids, long stateId) {
    int stateBytes =
        stateId == NO_STATE
            ? 0
            : CodedOutputStream.computeInt64Size(
                RpcResponseHeaderProto.STATEID_FIELD_NUMBER, stateId);
    return stateBytes
        + CodedOutputStream.computeUInt32Size(
            RpcResponseHeaderProto.CALLID_FIELD_NUMBER, ids.callId())
        + CodedOutputStream.computeEnumSize(RpcResponseHeaderProto.STATUS_FIELD_NUMBER, SUCCESS)
        + CodedOutputStream.computeUInt32Size(
            RpcResponseHeaderProto.SERVERIPCVERSIONNUM_FIELD_NUMBER, VERSION)
        + CodedOutputStream.computeBytesSize(
            RpcResponseHeaderProto.CLIENTID_FIELD_NUMBER, ids.clientId())
        + CodedOutputStream.computeSInt32Size(
            RpcResponseHeaderProto.RETRYCOUNT_FIELD_NUMBER, ids.retryCount());
  }

  /** Reserves room for a frame; the writer index stays, because writing the message may fail. */
  private static CodedOutputStream begin(ByteBuf out, int lengthBytes) {
    out.ensureWritable(Math.addExact(Integer.BYTES, lengthBytes));
    return CodedOutputStream.newInstance(
        out.internalNioBuffer(out.writerIndex() + Integer.BYTES, lengthBytes));
  }

  private static void end(ByteBuf out, CodedOutputStream coded, int start, int lengthBytes)
      throws IOException {
    coded.flush();
    coded.checkNoSpaceLeft();
    out.writeInt(lengthBytes).writerIndex(start + Integer.BYTES + lengthBytes);
  }

  /** The size with the length in front. */
  private static int delimited(int bytes) {
    return Math.addExact(bytes, CodedOutputStream.computeUInt32SizeNoTag(bytes));
  }
}
