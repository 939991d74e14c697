package io.acaciafs.rpc;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.ReplyEncoder;
import io.netty.buffer.ByteBuf;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Replies of one connection that leave together: each would cost a buffer and a place in the
 * channel's queue, and there are many of them between two flushes. For the network thread.
 */
final class ReplyBatch {
  private static final int FULL_BYTES = 32 * 1024;

  private final RpcConnection connection;
  private ByteBuf replies;

  ReplyBatch(RpcConnection connection) {
    this.connection = connection;
  }

  void add(CallIds ids, Message message) {
    open();
    ReplyEncoder.append(replies, ids, message);
    writeIfFull();
  }

  /**
   * @param bytes an encoded message from {@code offset} to their end
   */
  void add(CallIds ids, byte[] bytes, int offset) {
    open();
    ReplyEncoder.append(replies, ids, bytes, offset);
    writeIfFull();
  }

  private void open() {
    if (replies == null) {
      replies = connection.allocator().ioBuffer();
    }
  }

  private void writeIfFull() {
    if (replies.readableBytes() >= FULL_BYTES) {
      write();
    }
  }

  /** Hands over what there is; the next flush sends it. */
  void write() {
    if (replies != null) {
      ByteBuf whole = replies;
      replies = null;
      connection.write(whole);
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
