package io.acaciafs.bench.echo;

import io.acaciafs.bench.client.Varint;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers each call of one connection; the replies to one read leave in one write. */
final class EchoConnection extends ByteToMessageDecoder {
  private static final int PREAMBLE_BYTES = 7;

  /** Tag and value of rpcKind and rpcOp, and the tag of the call id. */
  private static final int BEFORE_CALL_ID_BYTES = 5;

  private final CannedReply reply;
  private boolean greeted;
  private @Nullable ByteBuf replies;

  EchoConnection(CannedReply reply) {
    this.reply = reply;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (!greeted) {
      if (in.readableBytes() < PREAMBLE_BYTES) {
        return;
      }
      in.skipBytes(PREAMBLE_BYTES);
      greeted = true;
    }
    while (in.readableBytes() >= Integer.BYTES) {
      int lengthBytes = in.getInt(in.readerIndex());
      if (in.readableBytes() < Integer.BYTES + lengthBytes) {
        return;
      }
      int end = in.skipBytes(Integer.BYTES).readerIndex() + lengthBytes;
      Varint.read(in);
      int zigzag = Varint.read(in.skipBytes(BEFORE_CALL_ID_BYTES));
      // a negative one is the connection's own business, and gets no reply
      if ((zigzag & 1) == 0) {
        if (replies == null) {
          replies = context.alloc().ioBuffer();
        }
        reply.write(replies, zigzag >>> 1);
      }
      in.readerIndex(end);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) throws Exception {
    super.channelReadComplete(context);
    if (replies != null) {
      ByteBuf all = replies;
      replies = null;
      context.writeAndFlush(all, context.voidPromise());
    }
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext context) {
    if (replies != null) {
      replies.release();
      replies = null;
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
