package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.RpcFailure;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches the replies of all connections of one network thread.
 *
 * <p>Replies from other threads wait in a queue, and one task takes all of them: when one sync of
 * the disk makes a group of commits durable, the network thread wakes up once, not once for each
 * connection. The thread flushes connections after it has read from all that were readable, so it
 * runs the same code many times before it enters the kernel.
 *
 * <p>{@link #add} may be called by any thread, the rest by the network thread.
 */
final class EventLoopReplies {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoopReplies.class);

  private final EventLoop loop;
  private final AtomicReference<Reply> newest = new AtomicReference<>();
  private final Runnable endAll = this::endAll;
  private final Runnable flushAll = this::flushAll;
  private final List<Target> unflushed = new ArrayList<>();

  /** A connection of this thread. */
  interface Target {
    /** Ends a call whose reply another thread has brought. */
    void end(Reply reply);

    /** Sends the replies that wait. */
    void flushNow();

    /** One of the other methods has failed. */
    void broken(Throwable cause);
  }

  /**
   * A reply from another thread: encoded already, or to be encoded on the network thread, or a
   * failure.
   */
  static final class Reply {
    final Target target;
    final CallIds ids;
    final int requestBytes;
    final @Nullable Message message;
    final @Nullable ByteBuf encoded;
    final @Nullable RpcFailure failure;
    private @Nullable Reply next;

    Reply(
        Target target,
        CallIds ids,
        int requestBytes,
        @Nullable Message message,
        @Nullable ByteBuf encoded,
        @Nullable RpcFailure failure) {
      this.target = target;
      this.ids = ids;
      this.requestBytes = requestBytes;
      this.message = message;
      this.encoded = encoded;
      this.failure = failure;
    }
  }

  EventLoopReplies(EventLoop loop) {
    this.loop = loop;
  }

  /** Hands a reply to the network thread, or drops it if the server is closed. */
  void add(Reply reply) {
    Reply before;
    do {
      before = newest.get();
      reply.next = before;
    } while (!newest.compareAndSet(before, reply));
    if (before == null) { // else a task is scheduled already
      execute(endAll);
    }
  }

  private void endAll() {
    for (Reply reply = oldestFirst(newest.getAndSet(null)); reply != null; reply = reply.next) {
      try {
        reply.target.end(reply);
      } catch (Throwable t) { // the other connections still get their replies
        reply.target.broken(t);
      }
    }
    flushAll();
  }

  private static @Nullable Reply oldestFirst(Reply newest) {
    Reply first = null;
    for (Reply reply = newest; reply != null; ) {
      Reply older = reply.next;
      reply.next = first;
      first = reply;
      reply = older;
    }
    return first;
  }

  /** Flushes a connection before the network thread waits again. */
  void flushLater(Target target) {
    unflushed.add(target);
    if (unflushed.size() == 1) {
      execute(flushAll);
    }
  }

  /** Also flushes connections that are added while this runs. */
  private void flushAll() {
    for (int i = 0; i < unflushed.size(); i++) {
      Target target = unflushed.get(i);
      try {
        target.flushNow();
      } catch (Throwable t) {
        target.broken(t);
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
