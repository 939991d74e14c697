package io.acaciafs.rpc;

import io.acaciafs.rpc.codec.BadFrameException;
import io.acaciafs.rpc.codec.CallHeaderReader;
import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.FatalRequestException;
import io.acaciafs.rpc.codec.Preamble;
import io.acaciafs.rpc.codec.RequestHeaders;
import io.acaciafs.rpc.limit.ConnectionMemory;
import io.netty.buffer.ByteBuf;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/**
 * Makes requests of a connection's bytes: first the preamble, then one frame after the other, each
 * either part of the set-up or a call. For the connection's network thread.
 */
final class RequestReader {
  /** Limit for requests before the client has named its user: long names fit. */
  private static final int MAX_SETUP_FRAME_BYTES = 8 * 1024;

  private final RpcConnection connection;
  private final ConnectionHost host;
  private final FrameReader frames;
  private final CallHeaderReader callHeader = new CallHeaderReader();
  private final byte[] preamble = new byte[Preamble.LENGTH_BYTES];
  private int preambleBytes;
  private ConnectionSetup setup;

  RequestReader(RpcConnection connection, ConnectionHost host, ConnectionMemory.Share memory) {
    this.connection = connection;
    this.host = host;
    this.frames = new FrameReader(memory);
  }

  /** Whether a part of a request has come. */
  boolean isWithinRequest() {
    return setup == null || frames.isWithinFrame();
  }

  /** Who calls, or null as long as that is not known. */
  UserGroupInformation user() {
    return setup == null ? null : setup.user();
  }

  /** The protocol that the client named when it connected, or null. */
  String protocolName() {
    return setup == null ? null : setup.protocolName();
  }

  /**
   * Takes one thing from the bytes, and acts on it.
   *
   * @return false if there is none, and all bytes are used up or there is no memory for them now
   * @throws BadFrameException if nothing that follows can be understood
   */
  boolean step(ByteBuf in, long receivedNanos) throws BadFrameException {
    if (setup == null) {
      int count = Math.min(in.readableBytes(), preamble.length - preambleBytes);
      in.readBytes(preamble, preambleBytes, count);
      preambleBytes += count;
      if (preambleBytes < preamble.length) {
        return false;
      }
      greet();
      return true;
    }
    byte[] frame = frames.next(in, maxFrameBytes());
    if (frame == null) {
      return false;
    }
    if (!ordinaryCall(frame, receivedNanos)) {
      request(frame, receivedNanos);
    }
    return true;
  }

  private int maxFrameBytes() {
    int known = host.maxFrameBytes();
    return setup.user() == null ? Math.min(MAX_SETUP_FRAME_BYTES, known) : known;
  }

  private void greet() {
    Preamble.Verdict verdict = Preamble.judge(preamble, connection.allocator());
    if (verdict instanceof Preamble.Welcome welcome) {
      setup = new ConnectionSetup(connection, host, welcome.sasl());
    } else if (verdict instanceof Preamble.Refused refused) {
      connection.closeAfter(refused.reply(), refused.reason());
    }
  }

  /** The short way of nearly all calls; false: not this one. */
  private boolean ordinaryCall(byte[] frame, long receivedNanos) {
    return setup.user() != null
        && callHeader.read(frame)
        && host.calls()
            .dispatchKnown(
                connection, callHeader.ids(), frame, callHeader.end(), setup.user(), receivedNanos);
  }

  private void request(byte[] frame, long receivedNanos) {
    CallIds ids = CallIds.outOfBand(-1);
    try {
      CodedInputStream in = CodedInputStream.newInstance(frame);
      RpcRequestHeaderProto header =
          RequestHeaders.parse(in, RpcRequestHeaderProto.parser(), "RpcRequestHeaderProto");
      ids = CallIds.of(header);
      RequestHeaders.check(header, setup.user() != null);
      if (header.getCallId() < 0) {
        setup.outOfBand(header, in);
      } else {
        host.calls().dispatch(connection, header, frame, in, setup.user(), receivedNanos);
      }
    } catch (FatalRequestException e) {
      connection.fail(ids, e.failure());
    }
  }
}
