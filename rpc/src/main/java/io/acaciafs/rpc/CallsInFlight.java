package io.acaciafs.rpc;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.ReplyEncoder;
import io.acaciafs.rpc.codec.RpcFailure;
import io.acaciafs.rpc.limit.ConnectionMemory;
import io.netty.buffer.ByteBuf;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * The calls of one connection that are under way, and their replies from whatever thread they come.
 * A reply that is ready while its request is still being processed is written at once; others go
 * through the {@link LoopReplies} of the connection's network thread.
 *
 * <p>{@link #deliver} may be called by any thread, the rest by the connection's network thread.
 */
final class CallsInFlight {
  private final RpcConnection connection;
  private final ConnectionMemory.Share memory;
  private int count;

  CallsInFlight(RpcConnection connection, ConnectionMemory.Share memory) {
    this.connection = connection;
    this.memory = memory;
  }

  /**
   * @param requestBytes what the call holds until it ends
   */
  void began(int requestBytes) {
    count++;
    memory.calls(requestBytes);
  }

  private void ended(int requestBytes) {
    count--;
    memory.calls(-requestBytes);
  }

  /** A call has its reply, which is in the batch already. */
  void endedAtOnce(InboundCall call) {
    ended(call.frame().length);
  }

  int count() {
    return count;
  }

  /**
   * Ends a call.
   *
   * @param message the reply, or null if there is a failure
   */
  void deliver(InboundCall call, Message message, RpcFailure failure) {
    if (connection.isProcessingHere()) {
      end(call.ids(), call.frame().length, message, null, failure);
      return;
    }
    // A worker has time to encode; whoever completes a future may be busy for all.
    ByteBuf encoded =
        message != null && Thread.currentThread() instanceof RpcThreads.Worker
            ? ReplyEncoder.success(connection.allocator(), call.ids(), message)
            : null;
    connection
        .loop()
        .add(
            new LoopReplies.Reply(
                connection, call.ids(), call.frame().length, message, encoded, failure));
  }

  void end(CallIds ids, int requestBytes, Message message, ByteBuf encoded, RpcFailure failure) {
    ended(requestBytes);
    if (connection.isDeaf()) {
      if (encoded != null) {
        encoded.release();
      }
    } else if (failure != null) {
      connection.send(ids, failure);
    } else if (encoded != null) {
      connection.write(encoded);
    } else {
      connection.send(ids, message);
    }
  }
}
