package io.acaciafs.rpc;

import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * A reply that may answer the same request of the same user again.
 *
 * @param holds whether the reply would still be the same, asked before it is given to another call;
 *     on a network thread, so it is quick. Null: it is not to be used again
 */
public record ReusableReply(Message message, Predicate<RpcCall> holds) {
  /** For this one call. */
  public static ReusableReply once(Message message) {
    return new ReusableReply(message, null);
  }

  /** The same reply, that holds only as long as a condition does. */
  public ReusableReply asLongAs(BooleanSupplier condition) {
    Predicate<RpcCall> own = holds; // the condition outlives the message
    return own == null
        ? this
        : new ReusableReply(message, call -> condition.getAsBoolean() && own.test(call));
  }
}
