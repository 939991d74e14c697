package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.call.CallConnection;
import io.acaciafs.rpc.call.CallDispatcher;
import io.acaciafs.rpc.codec.CallHeaderReader;
import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.FatalRequestException;
import io.acaciafs.rpc.codec.Preamble;
import io.acaciafs.rpc.codec.RequestHeaders;
import io.acaciafs.rpc.limit.ConnectionMemory;
import io.netty.buffer.ByteBuf;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests of the bytes of one connection: first the preamble, then frames, each of which is
 * either a message of the set-up or a call. For the network thread.
 */
final class RequestReader {
  /** Limit for a request before the client has named its user: long names fit. */
  private static final int MAX_SETUP_FRAME_BYTES = 8 * 1024;

  /** The same where clients authenticate: a ticket may carry the groups of its user. */
  private static final int MAX_SASL_FRAME_BYTES = 128 * 1024;

  private final CallConnection connection;
  private final Lifecycle lifecycle;
  private final ConnectionSetup setup;
  private final CallDispatcher calls;
  private final FrameReader frames;
  private final int maxFrameBytes;
  private final int maxSaslFrameBytes;
  private final CallHeaderReader callHeader = new CallHeaderReader();
  private final byte[] preamble = new byte[Preamble.LENGTH_BYTES];
  private int preambleBytes;

  /** Null: requests come as they are. */
  private @Nullable WrappedRequests wrapped;

  /**
   * @param connection whose calls they are
   */
  RequestReader(
      CallConnection connection,
      ConnectionHost host,
      Lifecycle lifecycle,
      ConnectionSetup setup,
      ConnectionMemory.Share memory) {
    this.connection = connection;
    this.lifecycle = lifecycle;
    this.setup = setup;
    this.calls = host.calls();
    this.frames = new FrameReader(memory);
    this.maxFrameBytes = host.maxFrameBytes();
    this.maxSaslFrameBytes =
        host.options().authentication() == null ? MAX_SETUP_FRAME_BYTES : MAX_SASL_FRAME_BYTES;
  }

  /** From now on requests come in packets. */
  void unwrapBy(WrappedRequests requests) {
    wrapped = requests;
  }

  /** The connection has ended. */
  void close() {
    if (wrapped != null) {
      wrapped.close();
    }
  }

  /** Whether the rest of a request, or the whole preamble, has to come. */
  boolean isWithinRequest() {
    return lifecycle.phase() == Phase.PREAMBLE
        || frames.isWithinFrame()
        || wrapped != null && wrapped.frames().isWithinFrame();
  }

  /**
   * Takes one request from the bytes and acts on it. It does not use the bytes afterwards, so a
   * request that closes the connection may release them.
   *
   * @return false if there is none, because all bytes are used up or there is no memory for more
   * @throws BadFrameException if nothing that follows can be understood
   */
  boolean step(ByteBuf in, long receivedNanos) throws BadFrameException {
    WrappedRequests packets = wrapped;
    if (packets == null) {
      return step(in, frames, receivedNanos);
    }
    return packets.isUnwrapped(in)
        ? step(in, packets.frames(), receivedNanos)
        : stepPacket(in, packets);
  }

  /** Requests are in the bytes of a packet alone. */
  private boolean stepPacket(ByteBuf in, WrappedRequests packets) throws BadFrameException {
    byte[] frame = frames.next(in, maxFrameBytes);
    if (frame == null) {
      return false;
    }
    try {
      packets.unwrap(frame);
    } catch (FatalRequestException e) {
      lifecycle.fail(CallIds.outOfBand(-1), e.failure());
    }
    return true;
  }

  private boolean step(ByteBuf in, FrameReader from, long receivedNanos) throws BadFrameException {
    return switch (lifecycle.phase()) {
      case PREAMBLE -> stepPreamble(in);
      case NEGOTIATION -> stepSetup(in, from, maxSaslFrameBytes, receivedNanos);
      case CONTEXT -> stepSetup(in, from, MAX_SETUP_FRAME_BYTES, receivedNanos);
      case CALLS -> stepCalls(in, from, receivedNanos);
      case AUTHENTICATION, AUTHORIZATION, DRAINING, CLOSING ->
          throw new IllegalStateException("no requests now");
    };
  }

  private boolean stepPreamble(ByteBuf in) {
    int count = Math.min(in.readableBytes(), preamble.length - preambleBytes);
    in.readBytes(preamble, preambleBytes, count);
    preambleBytes += count;
    if (preambleBytes < preamble.length) {
      return false;
    }
    setup.preamble(preamble);
    return true;
  }

  private boolean stepSetup(ByteBuf in, FrameReader from, int mostBytes, long receivedNanos)
      throws BadFrameException {
    byte[] frame = from.next(in, Math.min(mostBytes, maxFrameBytes));
    if (frame == null) {
      return false;
    }
    parse(frame, receivedNanos);
    return true;
  }

  private boolean stepCalls(ByteBuf in, FrameReader from, long receivedNanos)
      throws BadFrameException {
    byte[] frame = from.next(in, maxFrameBytes);
    if (frame == null) {
      return false;
    }
    if (!dispatchUsual(frame, receivedNanos)) {
      parse(frame, receivedNanos);
    }
    return true;
  }

  /** The fast path of nearly all calls; false: the frame has to be parsed. */
  private boolean dispatchUsual(byte[] frame, long receivedNanos) {
    return callHeader.read(frame)
        && calls.dispatchUsual(
            connection, callHeader.ids(), frame, callHeader.end(), setup.user(), receivedNanos);
  }

  private void parse(byte[] frame, long receivedNanos) {
    CallIds ids = CallIds.outOfBand(-1);
    try {
      CodedInputStream in = CodedInputStream.newInstance(frame);
      RpcRequestHeaderProto header =
          RequestHeaders.parse(in, RpcRequestHeaderProto.parser(), "RpcRequestHeaderProto");
      ids = CallIds.of(header);
      RequestHeaders.check(header, setup.isComplete());
      if (header.getCallId() < 0) {
        setup.outOfBand(header, in);
      } else {
        calls.dispatch(connection, header, frame, in, setup.user(), receivedNanos);
      }
    } catch (FatalRequestException e) {
      lifecycle.fail(ids, e.failure());
    }
  }
}
