package io.acaciafs.rpc;

import io.netty.buffer.ByteBuf;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * The calls of one connection that are under way, and their replies from whatever thread they come.
 * A reply that is ready while its request is still being processed is written at once; others wait
 * until the network thread takes all that have come together.
 *
 * <p>{@link #deliver} may be called by any thread, the rest by the connection's network thread.
 */
final class ReplyQueue {
  private final RpcConnection connection;
  private final Queue<Reply> replies = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private int callsInFlight;

  /** A reply: encoded already, or to be encoded on the network thread, or a failure. */
  private record Reply(InboundCall call, Message message, ByteBuf encoded, RpcFailure failure) {}

  ReplyQueue(RpcConnection connection) {
    this.connection = connection;
  }

  void began() {
    callsInFlight++;
  }

  void endedAtOnce() {
    callsInFlight--;
  }

  int callsInFlight() {
    return callsInFlight;
  }

  /**
   * Ends a call.
   *
   * @param message the reply, or null if there is a failure
   */
  void deliver(InboundCall call, Message message, RpcFailure failure) {
    if (connection.isProcessingHere()) {
      end(new Reply(call, message, null, failure));
      return;
    }
    // A worker has time to encode; whoever completes a future may be busy for all.
    ByteBuf encoded =
        message != null && Thread.currentThread() instanceof RpcThreads.Worker
            ? ReplyEncoder.success(connection.allocator(), call.ids(), message)
            : null;
    replies.add(new Reply(call, message, encoded, failure));
    if (scheduled.compareAndSet(false, true)) {
      connection.execute(this::endAll);
    }
  }

  private void endAll() {
    scheduled.set(false);
    for (Reply reply = replies.poll(); reply != null; reply = replies.poll()) {
      end(reply);
    }
    connection.afterReplies();
  }

  private void end(Reply reply) {
    callsInFlight--;
    CallIds ids = reply.call.ids();
    if (connection.isDeaf()) {
      if (reply.encoded != null) {
        reply.encoded.release();
      }
    } else if (reply.failure != null) {
      connection.send(ids, reply.failure);
    } else if (reply.encoded != null) {
      connection.write(reply.encoded);
    } else {
      connection.send(ids, reply.message);
    }
  }
}
