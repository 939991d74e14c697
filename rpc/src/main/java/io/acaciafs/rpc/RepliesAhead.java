package io.acaciafs.rpc;

import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the reply to what a client is likely to ask next while the client is busy with the last
 * one. Whoever lists a large directory waits for its first page only. Called on network threads;
 * the user pays for it as for what he has asked.
 */
final class RepliesAhead {
  private static final Logger LOG = LoggerFactory.getLogger(RepliesAhead.class);

  private final ReplyCache replies;

  RepliesAhead(ReplyCache replies) {
    this.replies = replies;
  }

  /**
   * Notes what is likely to follow a call that has been answered.
   *
   * @param next or null
   * @param holds of the reply: where it does not hold a moment later, the next one would not either
   */
  void follow(
      RpcConnection connection,
      InboundCall call,
      RpcProtocol.Reusable handler,
      ReplyCache.Request next,
      Predicate<RpcCall> holds) {
    if (next != null
        && holds != null
        && connection.isProcessingHere()
        && !connection.isApart()
        && connection.isListening()) {
      connection.afterFlush(() -> make(connection, call, handler, next, holds));
    }
  }

  private void make(
      RpcConnection connection,
      InboundCall call,
      RpcProtocol.Reusable handler,
      ReplyCache.Request next,
      Predicate<RpcCall> holds) {
    if (connection.isGone() || !replies.wants(next) || !holds.test(call)) {
      return;
    }
    long beginNanos = connection.nanoTime();
    InboundCall likely = call.followedBy(next.bytes());
    try {
      handler
          .method()
          .call(likely, likely.request())
          .thenAccept(reply -> replies.putAhead(next, reply))
          .exceptionally(failure -> ignored(likely, failure));
    } catch (Exception e) {
      ignored(likely, e);
    }
    connection.charge(beginNanos);
  }

  /** It will fail again when it is asked for, if it is. */
  private static Void ignored(InboundCall call, Throwable failure) {
    LOG.debug("No reply was made ahead: call={}", call, failure);
    return null;
  }
}
