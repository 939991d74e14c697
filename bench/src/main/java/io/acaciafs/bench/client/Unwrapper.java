package io.acaciafs.bench.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.util.List;
import javax.security.sasl.SaslClient;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;

/** Makes replies of signed or encrypted packets. For the network thread. */
final class Unwrapper extends ByteToMessageDecoder {
  private final SaslClient protection;

  Unwrapper(SaslClient protection) {
    this.protection = protection;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws IOException {
    RpcSaslProto message = SaslMessages.next(in);
    if (message != null) {
      byte[] packet = message.getToken().toByteArray();
      out.add(Unpooled.wrappedBuffer(protection.unwrap(packet, 0, packet.length)));
    }
  }
}
