package io.acaciafs.rpc.protocol;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * A reply that may answer the same request of the same user again.
 *
 * @param isValid whether the reply would still be the same. Asked on a network thread before the
 *     reply is given to another call, so it must be quick. Null: the reply cannot be cached
 * @param maxAgeNanos the reply answers no call that the server received later than this after the
 *     reply was made
 * @param likelyNext the request to the same method that the client probably sends next: its reply
 *     may be made while the client is busy with this one. Null: unknown
 */
public record CacheableReply(
    Message message,
    @Nullable Predicate<RpcCall> isValid,
    long maxAgeNanos,
    @Nullable Message likelyNext) {
  private static final long FOREVER = Long.MAX_VALUE / 2; // can be added to any System.nanoTime()

  /** Without an age limit. */
  public CacheableReply(Message message, @Nullable Predicate<RpcCall> isValid) {
    this(message, isValid, FOREVER, null);
  }

  /** For one call alone. */
  public static CacheableReply uncached(Message message) {
    return new CacheableReply(message, null);
  }

  /** The same reply with an age limit, unless it has a lower one. */
  public CacheableReply withMaxAgeMs(long ms) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(ms);
    return new CacheableReply(message, isValid, Math.min(maxAgeNanos, nanos), likelyNext);
  }

  /** The same reply with a further condition, asked as {@link #isValid} is. */
  public CacheableReply onlyWhile(BooleanSupplier condition) {
    return onlyFor(call -> condition.getAsBoolean());
  }

  /** The same reply with a further condition on calls, asked as {@link #isValid} is. */
  public CacheableReply onlyFor(Predicate<RpcCall> condition) {
    return isValid == null
        ? this
        : new CacheableReply(message, condition.and(isValid), maxAgeNanos, likelyNext);
  }

  /** The same reply, which the client probably follows with this request. */
  public CacheableReply withLikelyNext(Message request) {
    return new CacheableReply(message, isValid, maxAgeNanos, request);
  }
}
