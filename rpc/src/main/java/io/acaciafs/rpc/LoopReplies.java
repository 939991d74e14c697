package io.acaciafs.rpc;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.RpcFailure;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the connections of one network thread have to send. Replies from other threads wait here for
 * the one task that takes all that have come together: a group of commits that one sync of the disk
 * has made durable wakes a network thread once, and not once a connection. Connections are flushed
 * after all that were ready to be read have been, so the thread goes through the same code many
 * times over before it goes into the kernel.
 *
 * <p>{@link #add} may be called by any thread, the rest by the network thread.
 */
final class LoopReplies {
  private static final Logger LOG = LoggerFactory.getLogger(LoopReplies.class);

  private final EventLoop loop;
  private final AtomicReference<Reply> newest = new AtomicReference<>();
  private final Runnable endAll = this::endAll;
  private final Runnable flushAll = this::flushAll;
  private final List<RpcConnection> unflushed = new ArrayList<>();

  /**
   * A reply from another thread: encoded already, or to be encoded on the network thread, or a
   * failure.
   */
  static final class Reply {
    final RpcConnection connection;
    final CallIds ids;
    final int requestBytes;
    final Message message;
    final ByteBuf encoded;
    final RpcFailure failure;
    private Reply next;

    Reply(
        RpcConnection connection,
        CallIds ids,
        int requestBytes,
        Message message,
        ByteBuf encoded,
        RpcFailure failure) {
      this.connection = connection;
      this.ids = ids;
      this.requestBytes = requestBytes;
      this.message = message;
      this.encoded = encoded;
      this.failure = failure;
    }
  }

  LoopReplies(EventLoop loop) {
    this.loop = loop;
  }

  /** Hands a reply to the network thread. Dropped if the server is closed. */
  void add(Reply reply) {
    Reply before;
    do {
      before = newest.get();
      reply.next = before;
    } while (!newest.compareAndSet(before, reply));
    if (before == null) { // whoever came before has called the network thread
      execute(endAll);
    }
  }

  private void endAll() {
    for (Reply reply = oldestFirst(newest.getAndSet(null)); reply != null; reply = reply.next) {
      try {
        reply.connection.end(reply);
      } catch (Throwable t) { // the others wait for theirs
        reply.connection.broke(t);
      }
    }
    flushAll();
  }

  private static Reply oldestFirst(Reply newest) {
    Reply first = null;
    for (Reply reply = newest; reply != null; ) {
      Reply older = reply.next;
      reply.next = first;
      first = reply;
      reply = older;
    }
    return first;
  }

  /** Sees to it that a connection is flushed before the network thread waits again. */
  void flushLater(RpcConnection connection) {
    unflushed.add(connection);
    if (unflushed.size() == 1) {
      execute(flushAll);
    }
  }

  /** Also flushes what comes while it does so. */
  private void flushAll() {
    for (int i = 0; i < unflushed.size(); i++) {
      RpcConnection connection = unflushed.get(i);
      try {
        connection.flushNow();
      } catch (Throwable t) {
        connection.broke(t);
      }
    }
    unflushed.clear();
  }

  private void execute(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("Network thread has ended: loop={}", loop);
    }
  }
}
