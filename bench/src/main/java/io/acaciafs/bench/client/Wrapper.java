package io.acaciafs.bench.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;

/**
 * Signs or encrypts each request by itself, as Hadoop's client does it, also where several leave in
 * one write. For the network thread.
 */
final class Wrapper extends ChannelOutboundHandlerAdapter {
  private final SaslClient protection;

  Wrapper(SaslClient protection) {
    this.protection = protection;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws SaslException {
    ByteBuf frames = (ByteBuf) message;
    ByteBuf packets = context.alloc().ioBuffer(2 * frames.readableBytes());
    try {
      while (frames.isReadable()) {
        byte[] frame = new byte[Integer.BYTES + frames.getInt(frames.readerIndex())];
        frames.readBytes(frame);
        byte[] packet = protection.wrap(frame, 0, frame.length);
        SaslMessages.write(
            packets,
            RpcSaslProto.newBuilder()
                .setState(SaslState.WRAP)
                .setToken(UnsafeByteOperations.unsafeWrap(packet))
                .build());
      }
    } finally {
      frames.release();
    }
    context.write(packets, promise);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) throws SaslException {
    protection.dispose();
  }
}
