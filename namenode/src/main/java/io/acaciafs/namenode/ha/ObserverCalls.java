package io.acaciafs.namenode.ha;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.Replica;
import io.acaciafs.rpc.protocol.CacheableReply;
import io.acaciafs.rpc.protocol.MethodHandler;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.ipc.ObserverRetryOnActiveException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * Reads that a NameNode which stands by answers from what it has applied, as HDFS's observer does:
 * for clients that tell which state they have seen, and never from an earlier one. Safe for use by
 * many threads.
 *
 * <p>Source of which methods: the {@code @ReadOnly} ones of HDFS 3.5's ClientProtocol that an
 * observer may answer, as far as they read files and directories; clients ask the others rarely.
 */
public final class ObserverCalls {
  /** The methods of ClientProtocol that it answers. */
  static final Set<String> METHODS =
      Set.of(
          "getBlockLocations",
          "getFileInfo",
          "getFileLinkInfo",
          "getLocatedFileInfo",
          "getListing",
          "getBatchedListing",
          "getContentSummary",
          "getPreferredBlockSize",
          "getLinkTarget",
          "getStoragePolicy",
          "getAclStatus",
          "getXAttrs",
          "listXAttrs",
          "isFileClosed",
          "checkAccess");

  /** A batch takes some milliseconds from the leader to here. */
  private static final long PATIENCE_MS = 2_000;

  private final RpcProtocol reads;
  private final Datanodes datanodes;
  private final Replica replica;
  private final Executor continuations;

  /** What is known of DataNodes here. */
  public interface Datanodes {
    /**
     * @throws IOException for a DataNode of another cluster
     */
    void heartbeat(HeartbeatRequestProto heartbeat) throws IOException;

    /**
     * Makes sure that a DataNode may register, and tells it the keys of block tokens.
     *
     * @return the registration with the keys; null where they are not known yet
     */
    @Nullable CompletableFuture<DatanodeRegistration> admit(
        DatanodeRegistration registration, String ip);
  }

  /**
   * @param reads ClientProtocol on what the replica has applied
   * @param datanodes is told of heartbeats
   * @param continuations runs calls that had to wait
   */
  public ObserverCalls(
      RpcProtocol reads, Datanodes datanodes, Replica replica, Executor continuations) {
    this.reads = reads;
    this.datanodes = datanodes;
    this.replica = replica;
    this.continuations = continuations;
  }

  /** Whether a call may be answered here: its client knows that there are observers. */
  boolean takes(RpcCall call) {
    return call.stateId() != RpcCall.NO_STATE;
  }

  /** Answers a call from a state that its client has seen, or a later one. */
  CompletableFuture<CacheableReply> answer(RpcCall call, Message request) {
    CompletableFuture<Void> applied = replica.await(call.stateId());
    return applied.isDone()
        ? answerNow(call, request)
        : applied
            .orTimeout(PATIENCE_MS, TimeUnit.MILLISECONDS)
            .thenComposeAsync(nothing -> answerNow(call, request), continuations);
  }

  private CompletableFuture<CacheableReply> answerNow(RpcCall call, Message request) {
    try {
      RpcProtocol.Method method = Objects.requireNonNull(reads.methods().get(call.method()));
      return run(method.handler(), call, request)
          .thenApply(reply -> reply.onlyFor(this::covers))
          .toCompletableFuture();
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static CompletionStage<CacheableReply> run(
      MethodHandler handler, RpcCall call, Message request) throws Exception {
    if (handler instanceof MethodHandler.Cacheable cacheable) {
      return cacheable.method().call(call, request);
    }
    if (handler instanceof MethodHandler.ByFuture later) {
      return later.method().call(call, request).thenApply(CacheableReply::uncached);
    }
    throw new IllegalStateException(call.method() + " may wait");
  }

  /** Whether a kept reply is late enough for a call. */
  private boolean covers(RpcCall call) {
    return takes(call) && call.stateId() <= replica.position();
  }

  /** Whether the leader may well answer a call that failed here. */
  static boolean isForLeader(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof ObserverRetryOnActiveException
        || cause instanceof StandbyException
        || cause instanceof RetriableException
        || cause instanceof TimeoutException
        || cause instanceof RejectedExecutionException
        || cause instanceof StoreException
        || cause.getCause() instanceof StoreException;
  }

  /** See {@link Datanodes#admit}. */
  @Nullable CompletableFuture<DatanodeRegistration> admit(
      DatanodeRegistration registration, String ip) {
    return datanodes.admit(registration, ip);
  }

  /** A DataNode tells that it lives, and what it has. */
  void hear(HeartbeatRequestProto heartbeat) throws IOException {
    datanodes.heartbeat(heartbeat);
  }
}
