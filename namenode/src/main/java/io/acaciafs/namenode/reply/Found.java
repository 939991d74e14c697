package io.acaciafs.namenode.reply;

import io.acaciafs.kv.ReadSet;
import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.run.Tracked;
import io.acaciafs.rpc.protocol.CacheableReply;
import io.acaciafs.rpc.protocol.RpcCall;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * What an operation that only looks has found for a call, on the way to a reply.
 *
 * @param reader reads further rows for the reply. These reads are of the same moment as the result,
 *     and are part of the read set that the reply is still valid
 * @param holds null where it cannot be known
 */
public record Found<T>(@Nullable T value, Reader reader, @Nullable Predicate<RpcCall> holds) {
  static <T> Found<T> of(Tracked<T> tracked, Caller caller) {
    ReadSet readSet = tracked.readSet();
    return new Found<>(
        tracked.value(),
        tracked.reader(),
        // what a class of the site decides may change with nothing that was read
        readSet == null || caller.authorizer() != null
            ? null
            : holds(readSet, caller.groupsIfAsked()));
  }

  private static Predicate<RpcCall> holds(ReadSet readSet, @Nullable Set<String> groups) {
    return groups == null
        ? call -> readSet.holds()
        : call -> readSet.holds() && groups.equals(call.user().getGroupsSet());
  }

  /** The value, of an operation that always has one. */
  public T required() {
    return Objects.requireNonNull(value, "the operation has a result");
  }

  /** A reply that may be used again as long as everything is as it was found. */
  public CacheableReply reply(Message message) {
    return new CacheableReply(message, holds);
  }
}
