package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.ReplyEncoder;
import io.netty.buffer.ByteBuf;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * Encoded replies of one connection in a shared buffer: a buffer and a place in the channel's queue
 * for each of them would cost more. For the network thread.
 */
final class ReplyBatch {
  private static final int FULL_BYTES = 32 * 1024;

  private final ConnectionChannel channel;
  private @Nullable ByteBuf replies;

  ReplyBatch(ConnectionChannel channel) {
    this.channel = channel;
  }

  void add(CallIds ids, long stateId, Message message) {
    ReplyEncoder.append(open(), ids, stateId, message);
  }

  /**
   * @param bytes an encoded message from {@code offset} to their end
   */
  void add(CallIds ids, long stateId, byte[] bytes, int offset) {
    ReplyEncoder.append(open(), ids, stateId, bytes, offset);
  }

  private ByteBuf open() {
    ByteBuf open = replies;
    if (open == null) {
      open = channel.allocator().ioBuffer();
      replies = open;
    }
    return open;
  }

  boolean isFull() {
    return replies != null && replies.readableBytes() >= FULL_BYTES;
  }

  /** Takes the buffer out, or null if there are no replies. */
  @Nullable ByteBuf take() {
    ByteBuf taken = replies;
    replies = null;
    return taken;
  }

  /** Drops the replies. */
  void release() {
    ByteBuf taken = take();
    if (taken != null) {
      taken.release();
    }
  }
}
