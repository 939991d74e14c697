package io.acaciafs.bench.client;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The frame of one method's calls on one connection: a request is these bytes with the call id
 * patched in, the path or paths, and the tail. Immutable.
 *
 * <p>Call ids are from a range whose numbers all take four bytes on the wire, so that the place of
 * nothing ever moves. Source of the format: {@code RpcHeader.proto}, {@code ProtobufRpcEngine2}.
 */
final class CallTemplate {
  /** The least call id that takes four bytes in requests (zigzag) and in replies (plain). */
  static final int FIRST_CALL_ID = 1 << 21;

  /** One more than the highest. */
  static final int CALL_ID_LIMIT = 1 << 27;

  private static final int TAG_CALL_ID = 3 << 3;
  private static final byte TAG_PATH = 1 << 3 | 2;
  private static final byte TAG_SECOND_PATH = 2 << 3 | 2;

  /** The length of the header (one byte), rpcKind, rpcOp (two bytes each), and the tag. */
  private static final int CALL_ID_OFFSET = 6;

  private final byte[] head;
  private final byte[] tail;

  CallTemplate(Method method, String protocol, Identity identity) {
    head = head(method, protocol, identity);
    tail = method.tail(identity.clientName());
    if (head[CALL_ID_OFFSET - 1] != TAG_CALL_ID) {
      throw new IllegalStateException("the call id is not where it was expected");
    }
  }

  /** Those of all methods, for each connection of a client. */
  static Map<Method, CallTemplate> all(Identity identity) {
    Map<Method, CallTemplate> all = new EnumMap<>(Method.class);
    for (Method method : Method.values()) {
      all.put(method, new CallTemplate(method, Identity.PROTOCOL, identity));
    }
    return all;
  }

  private static byte[] head(Method method, String protocol, Identity identity) {
    RpcRequestHeaderProto.Builder call =
        RpcRequestHeaderProto.newBuilder()
            .setRpcKind(RpcKindProto.RPC_PROTOCOL_BUFFER)
            .setRpcOp(OperationProto.RPC_FINAL_PACKET)
            .setCallId(FIRST_CALL_ID)
            .setClientId(ByteString.copyFrom(identity.clientId()))
            .setRetryCount(0);
    if (identity.seenState() != 0) {
      call.setStateId(identity.seenState());
    }
    RequestHeaderProto request =
        RequestHeaderProto.newBuilder()
            .setMethodName(method.wireName())
            .setDeclaringClassProtocolName(protocol)
            .setClientProtocolVersion(1)
            .build();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      call.build().writeDelimitedTo(out);
      request.writeDelimitedTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /**
   * Writes a whole frame.
   *
   * @param second null for a call with one path
   * @param fields further ones of the request, encoded
   */
  void write(ByteBuf out, int callId, PathBuffer path, @Nullable PathBuffer second, byte[] fields) {
    int requestBytes =
        fieldBytes(path) + (second == null ? 0 : fieldBytes(second)) + tail.length + fields.length;
    out.writeInt(head.length + varintBytes(requestBytes) + requestBytes);
    int start = out.writerIndex();
    out.writeBytes(head);
    patch(out, start + CALL_ID_OFFSET, callId << 1);
    writeVarint(out, requestBytes);
    writeField(out, TAG_PATH, path);
    if (second != null) {
      writeField(out, TAG_SECOND_PATH, second);
    }
    out.writeBytes(tail).writeBytes(fields);
  }

  private static int fieldBytes(PathBuffer path) {
    return 1 + varintBytes(path.lengthBytes()) + path.lengthBytes();
  }

  private static void writeField(ByteBuf out, byte tag, PathBuffer path) {
    out.writeByte(tag);
    writeVarint(out, path.lengthBytes());
    out.writeBytes(path.bytes(), 0, path.lengthBytes());
  }

  private static void patch(ByteBuf out, int index, int zigzag) {
    out.setByte(index, zigzag & 0x7f | 0x80);
    out.setByte(index + 1, zigzag >>> 7 & 0x7f | 0x80);
    out.setByte(index + 2, zigzag >>> 14 & 0x7f | 0x80);
    out.setByte(index + 3, zigzag >>> 21);
  }

  private static int varintBytes(int value) {
    int bytes = 1;
    for (int rest = value >>> 7; rest != 0; rest >>>= 7) {
      bytes++;
    }
    return bytes;
  }

  private static void writeVarint(ByteBuf out, int value) {
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      out.writeByte(rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    out.writeByte(rest);
  }
}
