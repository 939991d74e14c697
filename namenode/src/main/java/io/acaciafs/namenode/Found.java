package io.acaciafs.namenode;

import io.acaciafs.kv.Evidence;
import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.run.Tracked;
import io.acaciafs.rpc.ReusableReply;
import io.acaciafs.rpc.RpcCall;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * What an operation that only looks has found for a call, on the way to a reply.
 *
 * @param reader reads further rows for the reply. These reads are of the same moment as the result,
 *     and are part of the evidence that the reply is still valid
 * @param holds null where nobody can tell
 */
record Found<T>(T value, Reader reader, Predicate<RpcCall> holds) {
  static <T> Found<T> of(Tracked<T> witnessed, Caller caller) {
    Evidence evidence = witnessed.evidence();
    return new Found<>(
        witnessed.value(),
        witnessed.reader(),
        evidence == null ? null : holds(evidence, caller.groupsIfAsked()));
  }

  private static Predicate<RpcCall> holds(Evidence evidence, Set<String> groups) {
    return groups == null
        ? call -> evidence.holds()
        : call -> evidence.holds() && groups.equals(call.user().getGroupsSet());
  }

  /** A reply that may be used again as long as everything is as it was found. */
  ReusableReply reply(Message message) {
    return new ReusableReply(message, holds);
  }
}
