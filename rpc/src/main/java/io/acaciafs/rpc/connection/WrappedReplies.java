package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.ReplyEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;

/**
 * Signs or encrypts all that goes to the socket of one connection. Each packet has a number, so
 * they are made in the order in which they are sent: on the network thread, when they are written.
 * A packet has whatever is written at once, one reply or several.
 *
 * <p>Source: {@code Server.wrapWithSasl}.
 */
final class WrappedReplies extends ChannelOutboundHandlerAdapter {
  private final SaslServer protection;

  WrappedReplies(SaslServer protection) {
    this.protection = protection;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws SaslException {
    ByteBuf plain = (ByteBuf) message;
    if (!plain.isReadable()) { // only a mark of how far the socket has come
      context.write(plain, promise);
      return;
    }
    byte[] packet;
    try {
      byte[] bytes = ByteBufUtil.getBytes(plain, plain.readerIndex(), plain.readableBytes(), false);
      packet = protection.wrap(bytes, 0, bytes.length);
    } finally {
      plain.release();
    }
    context.write(
        ReplyEncoder.success(
            context.alloc(),
            CallIds.outOfBand(SaslSetup.CALL_ID),
            ReplyEncoder.NO_STATE,
            RpcSaslProto.newBuilder()
                .setState(SaslState.WRAP)
                .setToken(UnsafeByteOperations.unsafeWrap(packet))
                .build()),
        promise);
  }
}
