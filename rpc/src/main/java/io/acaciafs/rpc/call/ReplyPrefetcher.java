package io.acaciafs.rpc.call;

import io.acaciafs.rpc.protocol.MethodHandler;
import io.acaciafs.rpc.protocol.RpcCall;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the reply to the request that a client probably sends next, while the client is busy with
 * the last reply. A client that lists a large directory waits for the first page only. Called on
 * network threads; the user is charged for it as for a call.
 */
final class ReplyPrefetcher {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyPrefetcher.class);

  private final ReplyCache replies;

  ReplyPrefetcher(ReplyCache replies) {
    this.replies = replies;
  }

  /**
   * Prefetches after a call was answered.
   *
   * @param next the likely request, or null
   * @param isValid of the call's reply: if that is invalid a moment later, the next one would be
   *     too
   */
  void follow(
      InboundCall call,
      MethodHandler.Cacheable handler,
      ReplyCache.@Nullable Request next,
      @Nullable Predicate<RpcCall> isValid) {
    CallConnection connection = call.connection();
    if (next != null
        && isValid != null
        && connection.isProcessingHere()
        && !connection.isIsolated()
        && connection.takesReplies()) {
      connection.afterFlush(() -> prefetch(call, handler, next, isValid));
    }
  }

  private void prefetch(
      InboundCall call,
      MethodHandler.Cacheable handler,
      ReplyCache.Request next,
      Predicate<RpcCall> isValid) {
    CallConnection connection = call.connection();
    if (connection.isGone() || !replies.accepts(next) || !isValid.test(call)) {
      return;
    }
    long beginNanos = connection.nanoTime();
    InboundCall likely = call.followedBy(next.bytes());
    try {
      handler
          .method()
          .call(likely, likely.request())
          .thenAccept(reply -> replies.putPrefetched(next, reply))
          .exceptionally(failure -> logged(likely, failure));
    } catch (Exception e) {
      logged(likely, e);
    }
    connection.charge(beginNanos);
  }

  /** If the client sends the request, it fails again then. */
  private static Void logged(InboundCall call, Throwable failure) {
    LOG.debug("Prefetch failed: call={}", call, failure);
    return null;
  }
}
