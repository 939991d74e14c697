package io.acaciafs.rpc;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.Delimited;
import io.acaciafs.rpc.codec.RpcFailure;
import io.acaciafs.rpc.method.MethodTable;
import io.acaciafs.rpc.method.ServedMethod;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.metrics.SlowCalls;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.AsyncRpcMethod;
import io.acaciafs.rpc.protocol.CacheableReply;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.MethodHandler;
import io.acaciafs.rpc.protocol.MustWaitException;
import io.acaciafs.rpc.protocol.RpcMethod;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Finds a call's method and runs it where it wants to be run: in a server whose calls may wait on
 * workers, but those with cacheable replies begin on the network thread, and most end there. Called
 * on network threads; immutable but for counters.
 */
final class CallDispatcher {
  private final Map<String, List<ServedProtocol>> protocols = new HashMap<>();
  private final MethodTable table;
  private final Executor workers;
  private final Executor workersApart;
  private final boolean mayWait;
  private final RpcMetrics metrics;
  private final ReplyCache replies;
  private final ReplyPrefetcher prefetcher;
  private final SlowCalls slowCalls;

  /** One version of a protocol. */
  private record ServedProtocol(long version, Map<String, ServedMethod> methods) {}

  /**
   * @param workersApart for users who cost much
   * @param mayWait as {@link RpcServerOptions#mayWait}
   * @param slowCalls null: they are not looked for
   */
  CallDispatcher(
      List<RpcProtocol> protocols,
      Executor workers,
      Executor workersApart,
      boolean mayWait,
      RpcMetrics metrics,
      ReplyCache replies,
      CallListener.Provider listeners,
      SlowCalls slowCalls) {
    this.workers = workers;
    this.workersApart = workersApart;
    this.mayWait = mayWait;
    this.metrics = metrics;
    this.replies = replies;
    this.prefetcher = new ReplyPrefetcher(replies);
    this.slowCalls = slowCalls;
    Map<RequestHeaderProto, ServedMethod> headers = new HashMap<>();
    for (RpcProtocol protocol : protocols) {
      String name = protocol.name();
      Map<String, ServedMethod> methods = new HashMap<>();
      for (RpcProtocol.Method method : protocol.methods().values()) {
        boolean isCacheable = method.handler() instanceof MethodHandler.Cacheable;
        ServedMethod served =
            new ServedMethod(
                name,
                method,
                protocol.check(),
                metrics.method(name, method.name(), isCacheable),
                listeners.of(name, method.name()),
                slowCalls);
        methods.put(method.name(), served);
        headers.put(header(protocol, method.name()), served);
      }
      List<ServedProtocol> versions =
          this.protocols.computeIfAbsent(name, key -> new ArrayList<>());
      if (versions.stream().anyMatch(served -> served.version == protocol.version())) {
        throw new IllegalArgumentException(name + " is served twice");
      }
      versions.add(new ServedProtocol(protocol.version(), methods));
    }
    table = new MethodTable(headers);
  }

  private static RequestHeaderProto header(RpcProtocol protocol, String methodName) {
    return RequestHeaderProto.newBuilder()
        .setMethodName(methodName)
        .setDeclaringClassProtocolName(protocol.name())
        .setClientProtocolVersion(protocol.version())
        .build();
  }

  /**
   * Runs a call whose method is named as usual.
   *
   * @param offset behind the call's header
   * @return false if the method has to be found by {@link #dispatch}; then nothing was done
   */
  boolean dispatchKnown(
      RpcConnection connection,
      CallIds ids,
      byte[] frame,
      int offset,
      UserGroupInformation user,
      long receivedNanos) {
    MethodTable.Known known = table.find(frame, offset);
    if (known == null) {
      return false;
    }
    begin(
        connection,
        new InboundCall(
            connection,
            ids,
            null,
            user,
            known.method(),
            receivedNanos,
            System.nanoTime(),
            frame,
            offset + known.header().length));
    return true;
  }

  /**
   * @param frame the whole call
   * @param in behind the header of the frame
   */
  void dispatch(
      RpcConnection connection,
      RpcRequestHeaderProto header,
      byte[] frame,
      CodedInputStream in,
      UserGroupInformation user,
      long receivedNanos) {
    ServedMethod method;
    try {
      RequestHeaderProto request = Delimited.read(in, RequestHeaderProto.parser());
      method = find(request, connection.protocolName());
    } catch (IOException e) {
      connection.refuse(header, e);
      return;
    }
    if (header.hasCallerContext()) {
      connection.worksFor(user, header.getCallerContext().getContext());
    }
    begin(
        connection,
        new InboundCall(
            connection,
            CallIds.of(header),
            header.hasCallerContext() ? header.getCallerContext() : null,
            user,
            method,
            receivedNanos,
            System.nanoTime(),
            frame,
            in.getTotalBytesRead()));
  }

  private void begin(RpcConnection connection, InboundCall call) {
    connection.began(call);
    if (!connection.mayCall(call.served().protocol())) {
      connection.failed(
          call,
          new AuthorizationException(
              "The connection is authorized for protocol " + connection.protocolName() + " alone"));
      return;
    }
    MethodHandler handler = call.served().handler();
    if (mayWait && handler instanceof MethodHandler.Cacheable && !connection.isIsolated()) {
      call.mustNotWait(); // most need not; of those who cost much few are to be under way
      runHere(connection, call, handler);
    } else if (mayWait || handler instanceof MethodHandler.OnWorker) {
      queue(connection, call, handler);
    } else {
      runHere(connection, call, handler);
    }
  }

  private void queue(RpcConnection connection, InboundCall call, MethodHandler handler) {
    Executor pool = connection.isIsolated() ? workersApart : workers;
    try {
      pool.execute(() -> runOnWorker(connection, call, handler));
    } catch (RejectedExecutionException e) {
      metrics.callRejected();
      connection.ended(call, RpcFailure.tooBusy(RpcStatusProto.ERROR));
    }
  }

  private void runHere(RpcConnection connection, InboundCall call, MethodHandler handler) {
    if (slowCalls != null) {
      call.runs(System.nanoTime());
    }
    run(connection, call, handler);
    if (slowCalls != null) {
      call.returned(System.nanoTime());
    }
  }

  private void run(RpcConnection connection, InboundCall call, MethodHandler handler) {
    if (handler instanceof MethodHandler.Cacheable cacheable) {
      runCacheable(connection, call, cacheable);
    } else if (handler instanceof MethodHandler.OnNetworkThread here) {
      run(connection, call, here.method());
    } else if (handler instanceof MethodHandler.ByFuture later) {
      runAsync(connection, call, later.method());
    } else if (handler instanceof MethodHandler.OnWorker elsewhere) {
      run(connection, call, elsewhere.method());
    }
  }

  private ServedMethod find(RequestHeaderProto request, String connectionProtocol)
      throws RpcServerException {
    String protocol = request.getDeclaringClassProtocolName();
    long version = request.getClientProtocolVersion();
    List<ServedProtocol> versions = protocols.get(protocol);
    if (versions == null) {
      throw new RpcNoSuchProtocolException("Unknown protocol: " + protocol);
    }
    long highest = Long.MIN_VALUE;
    for (ServedProtocol served : versions) {
      highest = Math.max(highest, served.version);
      if (served.version == version) {
        ServedMethod method = served.methods.get(request.getMethodName());
        if (method == null) {
          throw new RpcNoSuchMethodException(
              "Unknown method "
                  + request.getMethodName()
                  + " called on "
                  + connectionProtocol
                  + " protocol.");
        }
        return method;
      }
    }
    throw new RPC.VersionMismatch(protocol, version, highest);
  }

  private static void run(RpcConnection connection, InboundCall call, RpcMethod<Message> method) {
    Message reply;
    try {
      reply = checked(method.call(call, call.request()), call);
    } catch (Throwable t) {
      connection.failed(call, t);
      return;
    }
    connection.answered(call, reply);
  }

  private void runOnWorker(RpcConnection connection, InboundCall call, MethodHandler handler) {
    if (connection.isGone()) {
      call.runs(System.nanoTime());
      connection.failed(call, clientGone());
      return;
    }
    call.returned(0); // it has begun anew
    long beginNanos = connection.nanoTime();
    runHere(connection, call, handler);
    connection.charge(beginNanos);
  }

  private static void runAsync(
      RpcConnection connection, InboundCall call, AsyncRpcMethod<Message> method) {
    CompletionStage<? extends Message> stage;
    try {
      stage = checked(method.call(call, call.request()), call);
    } catch (Throwable t) {
      connection.failed(call, t);
      return;
    }
    if (stage instanceof CompletableFuture<? extends Message> future
        && future.isDone()
        && !future.isCompletedExceptionally()) {
      conclude(connection, call, future.join(), null);
    } else {
      stage.whenComplete((reply, failure) -> conclude(connection, call, reply, failure));
    }
  }

  private void runCacheable(
      RpcConnection connection, InboundCall call, MethodHandler.Cacheable handler) {
    ReplyCache.Request request =
        new ReplyCache.Request(
            call.served(),
            call.user().getUserName(),
            handler.perClient() ? call.clientAddress().getAddress() : null,
            call.frame(),
            call.offset());
    ReplyCache.Entry cached = replies.find(request, call);
    if (cached != null) {
      connection.answered(call, cached.bytes(), cached.messageOffset());
      prefetcher.follow(connection, call, handler, cached.likelyNext(), cached.isValid());
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
            call.mayWait();
            queue(connection, call, handler);
            return;
          }
          call.served().cacheMissed();
          try {
            if (reply != null) {
              replies.offer(request, reply);
            }
          } finally { // whatever the cache says, the client waits
            Throwable reason = failure != null && connection.isGone() ? clientGone() : failure;
            conclude(connection, call, reply == null ? null : reply.message(), reason);
          }
          if (reply != null) {
            prefetcher.follow(
                connection,
                call,
                handler,
                request.withMessage(reply.likelyNext()),
                reply.isValid());
          }
        });
  }

  private static IOException clientGone() {
    return new IOException("The client is gone");
  }

  private static void conclude(
      RpcConnection connection, InboundCall call, Message reply, Throwable failure) {
    if (failure != null) {
      connection.failed(call, failure);
    } else if (reply == null) {
      connection.failed(call, nothing(call));
    } else {
      connection.answered(call, reply);
    }
  }

  private static <T> T checked(T result, InboundCall call) {
    if (result == null) {
      throw nothing(call);
    }
    return result;
  }

  private static IllegalStateException nothing(InboundCall call) {
    return new IllegalStateException(call.method() + " returned nothing");
  }
}
