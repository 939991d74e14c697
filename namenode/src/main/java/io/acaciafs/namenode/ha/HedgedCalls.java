package io.acaciafs.namenode.ha;

import io.acaciafs.namespace.context.CallId;
import io.acaciafs.rpc.protocol.AsyncRpcMethod;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * Runs a call once that reaches the leader several times in one attempt of its client: Hadoop's
 * RequestHedgingProxyProvider sends a call to all NameNodes, and those that stand by hand it on.
 * The client takes the first answer and goes on, so a copy that comes later must do nothing: a
 * second mkdirs or delete would undo what the client did since. It gets the answer of the first.
 *
 * <p>The store keeps the answers of most calls that took effect, for repetitions by a client that
 * got no reply. This class also covers mkdirs, which it does not keep, and calls that had nothing
 * to do; it knows the calls of this leader alone, and of them the last ones. Safe for use by many
 * threads.
 */
public final class HedgedCalls {
  /** More than a leader runs while a copy is on its way. */
  private static final int MOST_CALLS = 1 << 15;

  /** Attached to a copy. */
  private static final Object COPY = new Object();

  /** Those that change what a path leads to. Others name a file and a block by their ids. */
  private static final Set<String> METHODS =
      Set.of(
          "append",
          "concat",
          "create",
          "createSymlink",
          "delete",
          "mkdirs",
          "modifyAclEntries",
          "recoverLease",
          "removeAcl",
          "removeAclEntries",
          "removeDefaultAcl",
          "removeXAttr",
          "rename",
          "rename2",
          "setAcl",
          "setErasureCodingPolicy",
          "setOwner",
          "setPermission",
          "setQuota",
          "setReplication",
          "setStoragePolicy",
          "setTimes",
          "setXAttr",
          "truncate",
          "unsetErasureCodingPolicy",
          "unsetStoragePolicy");

  private final int most;
  private Map<Attempt, CompletableFuture<Message>> newer = new HashMap<>();
  private Map<Attempt, CompletableFuture<Message>> older = Map.of();

  /** What the copies of a call have in common. The client's id is in two halves. */
  private record Attempt(
      long clientHigh, long clientLow, int callId, int retryCount, String method, String user) {
    /** Null for a call without an id. */
    private static @Nullable Attempt of(RpcCall call) {
      byte[] client = call.clientId();
      if (client.length != CallId.CLIENT_ID_LENGTH || call.callId() < 0) {
        return null;
      }
      ByteBuffer id = ByteBuffer.wrap(client);
      int retryCount =
          call instanceof ForwardedCall forwarded
              ? forwarded.clientRetryCount()
              : Math.max(0, call.retryCount());
      return new Attempt(
          id.getLong(),
          id.getLong(),
          call.callId(),
          retryCount,
          call.method(),
          call.user().getUserName());
    }
  }

  public HedgedCalls() {
    this(MOST_CALLS);
  }

  /**
   * @param most calls are remembered at least, and twice as many at most
   */
  HedgedCalls(int most) {
    this.most = most;
  }

  /** The same protocol, where copies of a call are not run. */
  public RpcProtocol of(RpcProtocol clientProtocol) {
    return clientProtocol.runBy(
        METHODS, method -> (call, request) -> runOnce(call, request, method));
  }

  /**
   * The same listeners, which hear of the first of the copies alone: the audit log has one line.
   */
  public static CallListener.Provider once(CallListener.Provider listeners) {
    return (protocol, method) -> {
      CallListener listener = listeners.of(protocol, method);
      return listener == null || !METHODS.contains(method)
          ? listener
          : listener.exceptAttached(COPY);
    };
  }

  private CompletionStage<? extends Message> runOnce(
      RpcCall call, Message request, AsyncRpcMethod<Message> method) throws Exception {
    Attempt attempt = Attempt.of(call);
    if (attempt == null) {
      return method.call(call, request);
    }
    CompletableFuture<Message> answer = new CompletableFuture<>();
    CompletableFuture<Message> first = firstOr(attempt, answer);
    if (first != null) {
      call.attach(COPY);
      return first;
    }
    try {
      method
          .call(call, request)
          .whenComplete(
              (reply, failure) -> {
                if (failure != null) {
                  answer.completeExceptionally(failure);
                } else {
                  answer.complete(reply);
                }
              });
    } catch (Throwable t) {
      answer.completeExceptionally(t);
    }
    return answer;
  }

  /** Null where this is the first. */
  private synchronized @Nullable CompletableFuture<Message> firstOr(
      Attempt attempt, CompletableFuture<Message> answer) {
    CompletableFuture<Message> first = older.get(attempt);
    if (first == null) {
      first = newer.putIfAbsent(attempt, answer);
    }
    if (newer.size() >= most) {
      older = newer;
      newer = new HashMap<>();
    }
    return first;
  }
}
