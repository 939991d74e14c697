package io.acaciafs.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Replies of one connection that leave together: each would cost a buffer and a place in the
 * channel's queue, and there are many of them between two flushes. For the network thread.
 */
final class ReplyBatch {
  private static final int FULL_BYTES = 32 * 1024;

  private ByteBuf replies;

  void add(ChannelHandlerContext context, CallIds ids, Message message) {
    open(context);
    ReplyEncoder.append(replies, ids, message);
    writeIfFull(context);
  }

  /**
   * @param bytes an encoded message from {@code offset} to their end
   */
  void add(ChannelHandlerContext context, CallIds ids, byte[] bytes, int offset) {
    open(context);
    ReplyEncoder.append(replies, ids, bytes, offset);
    writeIfFull(context);
  }

  private void open(ChannelHandlerContext context) {
    if (replies == null) {
      replies = context.alloc().ioBuffer();
    }
  }

  private void writeIfFull(ChannelHandlerContext context) {
    if (replies.readableBytes() >= FULL_BYTES) {
      writeTo(context);
    }
  }

  /** Hands over what there is; the next flush sends it. */
  void writeTo(ChannelHandlerContext context) {
    if (replies != null) {
      ByteBuf whole = replies;
      replies = null;
      context.write(whole, context.voidPromise());
    }
  }

  /** Throws away what there is. */
  void release() {
    if (replies != null) {
      replies.release();
      replies = null;
    }
  }
}
