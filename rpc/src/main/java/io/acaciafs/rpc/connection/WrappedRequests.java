package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.codec.FatalRequestException;
import io.acaciafs.rpc.codec.RequestHeaders;
import io.acaciafs.rpc.limit.ConnectionMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Takes signed or encrypted packets of one connection apart. What is in them is one stream of
 * frames: a packet may have several, or part of one. For the network thread.
 *
 * <p>Unlike Hadoop it takes nothing that is not in a packet, so nobody on the way can add a call.
 * Source: {@code Server.Connection.unwrapPacketAndProcessRpcs}.
 */
final class WrappedRequests {
  private final SaslServer protection;
  private final UnreadBytes unread;
  private final ConnectionMemory.Share frameMemory;
  private final ConnectionMemory.Share packetMemory;
  private final FrameReader frames;

  /** What was in the last packet, until all of it is processed. */
  private @Nullable ByteBuf unwrapped;

  /**
   * @param unread where the contents of packets go
   * @param memory counts what waits here: contents of packets, and a frame of which only a part has
   *     come
   */
  WrappedRequests(
      SaslServer protection,
      UnreadBytes unread,
      ConnectionMemory memory,
      ConnectionMemory.Holder holder) {
    this.protection = protection;
    this.unread = unread;
    this.frameMemory = memory.share(holder);
    this.packetMemory = memory.share(holder);
    this.frames = new FrameReader(frameMemory);
  }

  /** Makes frames of the contents of packets. */
  FrameReader frames() {
    return frames;
  }

  /** Whether these bytes are the contents of a packet. */
  boolean isUnwrapped(ByteBuf bytes) {
    if (unwrapped != null && !unwrapped.isReadable()) {
      boolean isLast = bytes == unwrapped;
      unwrapped = null;
      packetMemory.request(0);
      return isLast;
    }
    return bytes == unwrapped;
  }

  /**
   * Takes a packet apart; its contents are what is processed next.
   *
   * @throws FatalRequestException if it is no packet
   * @throws BadFrameException if it is not the client's next one as the client made it
   */
  void unwrap(byte[] frame) throws FatalRequestException, BadFrameException {
    CodedInputStream in = CodedInputStream.newInstance(frame);
    RpcRequestHeaderProto header =
        RequestHeaders.parse(in, RpcRequestHeaderProto.parser(), "RpcRequestHeaderProto");
    RequestHeaders.check(header, true);
    if (header.getCallId() != SaslSetup.CALL_ID) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
          SaslException.class,
          "The client has to wrap its requests");
    }
    RpcSaslProto packet = RequestHeaders.parse(in, RpcSaslProto.parser(), "RpcSaslProto");
    if (packet.getState() != SaslState.WRAP) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
          SaslException.class,
          "Negotiation is already complete");
    }
    byte[] contents;
    try {
      contents = protection.unwrap(packet.getToken().toByteArray(), 0, packet.getToken().size());
    } catch (SaslException | RuntimeException e) {
      throw new BadFrameException("packet cannot be unwrapped: " + e.getMessage());
    }
    if (contents.length == 0) { // what DIGEST-MD5 makes of a packet with a wrong signature
      throw new BadFrameException("packet has nothing in it, or was changed on its way");
    }
    ByteBuf bytes = Unpooled.wrappedBuffer(contents); // an object of its own, which none reuses
    unwrapped = bytes;
    packetMemory.request(contents.length);
    unread.addFirst(bytes);
  }

  /** The connection has ended. */
  void close() {
    frameMemory.close();
    packetMemory.close();
  }
}
