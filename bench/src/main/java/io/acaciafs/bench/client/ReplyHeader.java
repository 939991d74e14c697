package io.acaciafs.bench.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.jspecify.annotations.Nullable;

/**
 * The header of a reply, read as far as a success needs: call id and status, which stand first. For
 * one thread, and used again for each reply.
 */
final class ReplyHeader {
  private static final int TAG_CALL_ID = 1 << 3;
  private static final int TAG_STATUS = 2 << 3;

  private int callId;
  private boolean success;
  private @Nullable RpcResponseHeaderProto failure;

  /** Reads one, and leaves {@code in} behind it. */
  void read(ByteBuf in) {
    int lengthBytes = Varint.read(in);
    int start = in.readerIndex();
    failure = null;
    if (in.readByte() == TAG_CALL_ID) {
      callId = Varint.read(in);
      success =
          in.readByte() == TAG_STATUS && Varint.read(in) == RpcStatusProto.SUCCESS.getNumber();
    } else {
      success = false;
    }
    if (!success) {
      failure = parse(in.slice(start, lengthBytes));
      callId = failure.getCallId();
    }
    in.readerIndex(start + lengthBytes);
  }

  private static RpcResponseHeaderProto parse(ByteBuf header) {
    try {
      return RpcResponseHeaderProto.parseFrom(new ByteBufInputStream(header));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int callId() {
    return callId;
  }

  boolean isSuccess() {
    return success;
  }

  boolean isFatal() {
    return failure != null && failure.getStatus() == RpcStatusProto.FATAL;
  }

  private RpcResponseHeaderProto failure() {
    return Objects.requireNonNull(failure, "the reply is a failure");
  }

  /** The class of the exception; only of a failure. */
  String exception() {
    return failure().getExceptionClassName();
  }

  /** The first line of what it says; only of a failure. */
  String message() {
    return failure().getErrorMsg().lines().findFirst().orElse("");
  }
}
