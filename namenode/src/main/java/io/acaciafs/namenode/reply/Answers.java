package io.acaciafs.namenode.reply;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.namenode.permission.AttributeProvider;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.run.Tracked;
import io.acaciafs.rpc.protocol.MustWaitException;
import io.acaciafs.rpc.protocol.RpcCall;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.hadoop.fs.permission.FsCreateModes;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.FsPermissionProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/** Runs operations for calls and turns what comes of them into replies. */
public final class Answers {
  private final Namespace namespace;
  private final Callers callers;

  /**
   * @param isAudited whether calls get what they were about attached, for the audit log
   * @param provider decides what callers may do; null: HDFS's rules do
   */
  public Answers(
      Namespace namespace,
      BooleanSupplier isAudited,
      RoutedClients clients,
      @Nullable AttributeProvider provider) {
    this.namespace = namespace;
    this.callers = new Callers(namespace.settings(), isAudited, clients, provider);
  }

  public Namespace namespace() {
    return namespace;
  }

  public Callers callers() {
    return callers;
  }

  /** The result of an operation as a reply. */
  public <T, M extends Message> CompletableFuture<M> of(
      RpcCall call, NamespaceOperation<T> operation, Function<T, M> reply) {
    return namespace
        .submit(callers.of(call), operation)
        .handle(
            (result, failure) -> {
              if (failure != null) {
                throw new CompletionException(hdfsTerm(failure));
              }
              return reply.apply(result);
            });
  }

  /**
   * What an operation that only looks finds, as a reply. Waits for rows that are not at hand, but
   * where the call must not.
   *
   * @param reply runs in the transaction of the operation, and again with it
   */
  public <T, R> CompletableFuture<R> look(
      RpcCall call, ReadOperation<T> operation, Function<Found<T>, R> reply) {
    Caller caller = callers.of(call);
    Executor networkThread = call.networkThread();
    Function<Tracked<T>, R> use = tracked -> reply.apply(Found.of(tracked, caller));
    return inHdfsTerms(
        networkThread == null
            ? namespace.readTracked(caller, operation, use)
            : namespace.readTrackedNonBlocking(caller, operation, use, networkThread));
  }

  /** The same reply whatever an operation returned. */
  public <M extends Message> CompletableFuture<M> done(
      RpcCall call, NamespaceOperation<?> operation, M reply) {
    return of(call, operation, ignored -> reply);
  }

  /**
   * The mode of a new inode; with the client's unmasked mode where it sent one, which a default ACL
   * may want.
   */
  public static FsPermission createMode(
      FsPermissionProto masked, @Nullable FsPermissionProto unmasked) {
    FsPermission mode = PBHelperClient.convert(masked);
    return unmasked == null ? mode : FsCreateModes.create(mode, PBHelperClient.convert(unmasked));
  }

  /** Failures of the store become exceptions that an HDFS client knows how to treat. */
  public static <T> CompletableFuture<T> inHdfsTerms(CompletableFuture<T> future) {
    if (future.isDone() && !future.isCompletedExceptionally()) {
      return future;
    }
    return future.exceptionallyCompose(
        failure -> CompletableFuture.failedFuture(hdfsTerm(failure)));
  }

  /** The same for one failure. */
  public static Throwable hdfsTerm(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof ConflictException) {
      return new RetriableException(
          "Too many others changed the same entries: " + cause.getMessage());
    }
    if (cause instanceof WouldBlockException) {
      return new MustWaitException();
    }
    if (isOrRestsOn(cause, FencedOffException.class)) {
      return new StandbyException("Another NameNode has taken over: " + cause.getMessage());
    }
    if (isOrRestsOn(cause, UnavailableException.class)) {
      // A client of several NameNodes asks again, and then finds the answer if it was done.
      String text = "The metadata store did not answer: " + cause.getMessage();
      return new RetriableException(text).initCause(cause);
    }
    if (cause instanceof StoreException) {
      return new IOException("The metadata store failed: " + cause.getMessage(), cause);
    }
    return cause;
  }

  /** Also where what needed the store has put it into words of its own. */
  private static boolean isOrRestsOn(Throwable failure, Class<? extends StoreException> kind) {
    return failure instanceof StoreException && StoreException.find(failure, kind) != null;
  }
}
