package io.acaciafs.rpc.call;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.Delimited;
import io.acaciafs.rpc.codec.ReplyEncoder;
import io.acaciafs.rpc.codec.RpcFailure;
import io.acaciafs.rpc.method.MethodRegistry;
import io.acaciafs.rpc.method.MethodTable;
import io.acaciafs.rpc.method.ServedMethod;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.AsyncRpcMethod;
import io.acaciafs.rpc.protocol.CacheableReply;
import io.acaciafs.rpc.protocol.MethodHandler;
import io.acaciafs.rpc.protocol.MustWaitException;
import io.acaciafs.rpc.protocol.RpcMethod;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * Finds the method of a call, runs it on the right thread, and ends the call with its result.
 *
 * <p>A method runs on the network thread or on a worker, as it was registered. In a server whose
 * calls may wait, methods run on workers, but methods with cacheable replies begin on the network
 * thread, and most end there. Called on network threads; immutable.
 */
public final class CallDispatcher {
  private volatile Served served;
  private final Workers workers;
  private final RpcMetrics metrics;
  private final boolean mayWait;
  private final boolean measuresRuns;
  private final Set<Class<? extends Throwable>> terseExceptions;

  /** The methods, and what their replies are kept in. */
  private record Served(
      MethodRegistry methods,
      ReplyCache replies,
      ReplyPrefetcher prefetcher,
      LongSupplier stateIds) {}

  public CallDispatcher(
      RpcServerOptions options,
      MethodRegistry methods,
      Workers workers,
      ReplyCache replies,
      RpcMetrics metrics) {
    this.served =
        new Served(methods, replies, new ReplyPrefetcher(replies), () -> ReplyEncoder.NO_STATE);
    this.workers = workers;
    this.metrics = metrics;
    this.mayWait = options.calls().mayWait();
    this.measuresRuns = options.calls().slowCallLog();
    this.terseExceptions = options.calls().terseExceptions();
  }

  /**
   * Serves other methods to the calls that come from now on.
   *
   * @param replies of these methods alone
   * @param stateIds as {@link #lastStateId}
   */
  public void serve(MethodRegistry methods, ReplyCache replies, LongSupplier stateIds) {
    served = new Served(methods, replies, new ReplyPrefetcher(replies), stateIds);
  }

  /** For the header of a reply whose call has ended, as {@code RpcServer.serve} says. */
  public long lastStateId() {
    return served.stateIds().getAsLong();
  }

  /**
   * Runs a call whose method header has the usual bytes.
   *
   * @param offset where the method header begins
   * @return false if {@link #dispatch} has to find the method; then nothing was done
   */
  public boolean dispatchUsual(
      CallConnection connection,
      CallIds ids,
      byte[] frame,
      int offset,
      UserGroupInformation user,
      long receivedNanos) {
    MethodTable.Entry entry = served.methods().find(frame, offset);
    if (entry == null) {
      return false;
    }
    int requestOffset = offset + entry.header().length;
    begin(
        new InboundCall(
            connection, ids, user, entry.method(), frame, requestOffset, receivedNanos));
    return true;
  }

  /**
   * Runs a call.
   *
   * @param frame the whole call
   * @param in the frame from the method header on
   */
  public void dispatch(
      CallConnection connection,
      RpcRequestHeaderProto header,
      byte[] frame,
      CodedInputStream in,
      UserGroupInformation user,
      long receivedNanos) {
    CallIds ids = CallIds.of(header);
    ServedMethod method;
    try {
      RequestHeaderProto request = Delimited.read(in, RequestHeaderProto.parser());
      method = served.methods().find(request, connection.protocolName());
    } catch (IOException e) {
      connection.refuse(ids, RpcFailure.of(e, terseExceptions));
      return;
    }
    int requestOffset = in.getTotalBytesRead();
    InboundCall call =
        new InboundCall(connection, ids, user, method, frame, requestOffset, receivedNanos);
    if (header.hasCallerContext()) {
      connection.chargeContext(user, header.getCallerContext().getContext());
      call.withCallerContext(header.getCallerContext());
    }
    begin(call);
  }

  private void begin(InboundCall call) {
    CallConnection connection = call.connection();
    connection.began(call.requestBytes(), call.startedNanos());
    if (connection.isForOneProtocol()
        && !call.served().protocol().equals(connection.protocolName())) {
      fail(
          call,
          new AuthorizationException(
              "The connection is authorized for protocol " + connection.protocolName() + " alone"));
      return;
    }
    MethodHandler handler = call.served().handler();
    if (mayWait && handler instanceof MethodHandler.Cacheable && !connection.isIsolated()) {
      call.beginOnNetworkThread(); // for isolated users few such calls may be in flight
      runHere(call, handler);
    } else if (mayWait || handler instanceof MethodHandler.OnWorker) {
      queue(call, handler);
    } else {
      runHere(call, handler);
    }
  }

  private void queue(InboundCall call, MethodHandler handler) {
    try {
      workers.execute(call.connection().isIsolated(), () -> runOnWorker(call, handler));
    } catch (RejectedExecutionException e) {
      metrics.callRejected();
      send(call, null, RpcFailure.tooBusy(RpcStatusProto.ERROR));
    }
  }

  private void runOnWorker(InboundCall call, MethodHandler handler) {
    CallConnection connection = call.connection();
    if (connection.isGone()) {
      call.noteRun(System.nanoTime());
      fail(call, clientGone());
      return;
    }
    call.noteReturn(0);
    long beginNanos = connection.nanoTime();
    runHere(call, handler);
    connection.charge(beginNanos);
  }

  private void runHere(InboundCall call, MethodHandler handler) {
    if (measuresRuns) {
      call.noteRun(System.nanoTime());
    }
    run(call, handler);
    if (measuresRuns) {
      call.noteReturn(System.nanoTime());
    }
  }

  private void run(InboundCall call, MethodHandler handler) {
    if (handler instanceof MethodHandler.Cacheable cacheable) {
      runCacheable(call, cacheable);
    } else if (handler instanceof MethodHandler.OnNetworkThread here) {
      run(call, here.method());
    } else if (handler instanceof MethodHandler.ByFuture later) {
      runAsync(call, later.method());
    } else if (handler instanceof MethodHandler.OnWorker elsewhere) {
      run(call, elsewhere.method());
    }
  }

  private void run(InboundCall call, RpcMethod<Message> method) {
    Message reply;
    try {
      reply = checked(method.call(call, call.request()), call);
    } catch (Throwable t) {
      fail(call, t);
      return;
    }
    succeed(call, reply);
  }

  private void runAsync(InboundCall call, AsyncRpcMethod<Message> method) {
    CompletionStage<? extends Message> stage;
    try {
      stage = checked(method.call(call, call.request()), call);
    } catch (Throwable t) {
      fail(call, t);
      return;
    }
    if (stage instanceof CompletableFuture<? extends Message> future
        && future.isDone()
        && !future.isCompletedExceptionally()) {
      end(call, future.join(), null);
    } else {
      stage.whenComplete((reply, failure) -> end(call, reply, failure));
    }
  }

  private void runCacheable(InboundCall call, MethodHandler.Cacheable handler) {
    Served now = served;
    ReplyCache replies = now.replies();
    ReplyPrefetcher prefetcher = now.prefetcher();
    ReplyCache.Request request =
        new ReplyCache.Request(
            call.served(),
            call.user().getUserName(),
            handler.perClient() ? call.clientAddress().getAddress() : null,
            call.frame(),
            call.offset());
    ReplyCache.Entry cached = replies.find(request, call);
    if (cached != null) {
      call.served().ended(call, null, null);
      call.connection()
          .endEncoded(call.ids(), call.requestBytes(), cached.bytes(), cached.messageOffset());
      prefetcher.follow(call, handler, cached.likelyNext(), cached.isValid());
      return;
    }
    CompletionStage<CacheableReply> stage;
    try {
      stage = checked(handler.method().call(call, call.request()), call);
    } catch (Throwable t) {
      stage = CompletableFuture.failedFuture(t);
    }
    stage.whenComplete(
        (reply, failure) -> {
          if (failure != null && RpcFailure.cause(failure) instanceof MustWaitException) {
            call.beginOnWorker();
            queue(call, handler);
            return;
          }
          call.served().cacheMissed();
          try {
            if (reply != null) {
              replies.offer(request, reply);
            }
          } finally { // the client gets its reply even if the cache fails
            Throwable reason =
                failure != null && call.connection().isGone() ? clientGone() : failure;
            end(call, reply == null ? null : reply.message(), reason);
          }
          if (reply != null) {
            prefetcher.follow(
                call, handler, request.withMessage(reply.likelyNext()), reply.isValid());
          }
        });
  }

  private static IOException clientGone() {
    return new IOException("The client is gone");
  }

  private void end(InboundCall call, @Nullable Message reply, @Nullable Throwable failure) {
    if (failure != null) {
      fail(call, failure);
    } else if (reply == null) {
      fail(call, returnedNull(call));
    } else {
      succeed(call, reply);
    }
  }

  private static void succeed(InboundCall call, Message reply) {
    call.served().ended(call, reply, null);
    send(call, reply, null);
  }

  private void fail(InboundCall call, Throwable thrown) {
    Throwable failure = RpcFailure.cause(thrown);
    call.served().ended(call, null, failure);
    call.served().logFailure(call, failure, terseExceptions);
    send(call, null, RpcFailure.of(failure, terseExceptions));
  }

  private static void send(
      InboundCall call, @Nullable Message reply, @Nullable RpcFailure failure) {
    call.connection().end(call.ids(), call.requestBytes(), reply, failure);
  }

  private static <T> T checked(T result, InboundCall call) {
    if (result == null) {
      throw returnedNull(call);
    }
    return result;
  }

  private static IllegalStateException returnedNull(InboundCall call) {
    return new IllegalStateException(call.method() + " returned nothing");
  }
}
