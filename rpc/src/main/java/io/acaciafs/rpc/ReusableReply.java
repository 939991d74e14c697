package io.acaciafs.rpc;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * A reply that may answer the same request of the same user again.
 *
 * @param holds whether the reply would still be the same, asked before it is given to another call;
 *     on a network thread, so it is quick. Null: it is not to be used again
 * @param lastsNanos answers no call that was received later than so long after it was made
 * @param next the request of the same method that the client sends next, most likely: its reply may
 *     be made while the client is busy with this one. Null: none
 */
public record ReusableReply(
    Message message, Predicate<RpcCall> holds, long lastsNanos, Message next) {
  private static final long FOREVER = Long.MAX_VALUE / 2; // can be added to any System.nanoTime()

  /** As long as it holds. */
  public ReusableReply(Message message, Predicate<RpcCall> holds) {
    this(message, holds, FOREVER, null);
  }

  /** For this one call. */
  public static ReusableReply once(Message message) {
    return new ReusableReply(message, null);
  }

  /** The same reply, for so long at most. */
  public ReusableReply forAtMost(long ms) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(ms);
    return new ReusableReply(message, holds, Math.min(lastsNanos, nanos), next);
  }

  /** The same reply with a further condition, checked as {@link #holds} is. */
  public ReusableReply onlyWhile(BooleanSupplier alsoHolds) {
    return holds == null
        ? this
        : new ReusableReply(
            message, call -> alsoHolds.getAsBoolean() && holds.test(call), lastsNanos, next);
  }

  /** The same reply, after which another request is likely. */
  public ReusableReply before(Message likely) {
    return new ReusableReply(message, holds, lastsNanos, likely);
  }
}
