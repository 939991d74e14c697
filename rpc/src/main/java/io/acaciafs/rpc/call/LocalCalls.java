package io.acaciafs.rpc.call;

import io.acaciafs.rpc.codec.RpcFailure;
import io.acaciafs.rpc.limit.UserNames;
import io.acaciafs.rpc.protocol.CacheableReply;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.EndedCall;
import io.acaciafs.rpc.protocol.MethodHandler;
import io.acaciafs.rpc.protocol.RequestCheck;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcMethod;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * Calls the methods of a protocol from inside the process, for a client that uses another way, such
 * as HTTP. The methods get a call as usual, but without a call id, so they do not recognize a
 * repetition. Immutable; safe for use by many threads.
 */
public final class LocalCalls {
  private static final int NO_CALL_ID = -1;
  private static final byte[] NO_CLIENT_ID = new byte[0];

  private final RpcProtocol protocol;
  private final CallListener.Provider listeners;

  /**
   * @param listeners get the calls that end, as those of a server
   */
  public LocalCalls(RpcProtocol protocol, CallListener.Provider listeners) {
    this.protocol = Objects.requireNonNull(protocol);
    this.listeners = Objects.requireNonNull(listeners);
  }

  /**
   * Runs a method on the current thread, which waits if the method waits.
   *
   * @param user the effective user
   * @param clientAddress where the client is
   * @param request of the method's own type
   * @return a future of the reply
   * @throws IllegalArgumentException if the protocol has no such method
   * @throws Exception the failure of the method, as if the future had failed with it
   */
  public CompletionStage<? extends Message> call(
      UserGroupInformation user, InetSocketAddress clientAddress, String method, Message request)
      throws Exception {
    RpcProtocol.Method found = protocol.methods().get(method);
    if (found == null) {
      throw new IllegalArgumentException(protocol.name() + " has no method " + method);
    }
    UserNames.check(user);
    if (request.getSerializedSize() > RequestCheck.SMALL_BYTES) {
      protocol.check().check(request);
    }
    LocalCall call = new LocalCall(user, clientAddress, protocol.name(), method, request);
    return run(found, call, request);
  }

  /**
   * Runs a call that came to this process another way, with its own id.
   *
   * @param call of this protocol
   * @return a future of the reply
   * @throws Exception the failure of the method, as if the future had failed with it
   */
  public CompletionStage<? extends Message> run(EndedCall call) throws Exception {
    RpcProtocol.Method found = protocol.methods().get(call.method());
    if (found == null) {
      throw new IllegalArgumentException(protocol.name() + " has no method " + call.method());
    }
    Message request = call.request();
    if (request.getSerializedSize() > RequestCheck.SMALL_BYTES) {
      protocol.check().check(request);
    }
    return run(found, call, request);
  }

  private CompletionStage<? extends Message> run(
      RpcProtocol.Method method, EndedCall call, Message request) throws Exception {
    CallListener listener = listeners.of(protocol.name(), method.name());
    if (listener == null) {
      return run(method.handler(), call, request);
    }
    try {
      return run(method.handler(), call, request)
          .whenComplete(
              (reply, failure) ->
                  listener.ended(call, reply, failure == null ? null : RpcFailure.cause(failure)));
    } catch (Exception e) {
      listener.ended(call, null, RpcFailure.cause(e));
      throw e;
    }
  }

  private static CompletionStage<? extends Message> run(
      MethodHandler handler, RpcCall call, Message request) throws Exception {
    if (handler instanceof MethodHandler.ByFuture later) {
      return later.method().call(call, request);
    }
    if (handler instanceof MethodHandler.Cacheable cacheable) {
      return cacheable.method().call(call, request).thenApply(CacheableReply::message);
    }
    RpcMethod<Message> now =
        handler instanceof MethodHandler.OnWorker elsewhere
            ? elsewhere.method()
            : ((MethodHandler.OnNetworkThread) handler).method();
    return CompletableFuture.completedFuture(now.call(call, request));
  }

  /** A call without an id. */
  private static final class LocalCall implements EndedCall {
    private final UserGroupInformation user;
    private final InetSocketAddress clientAddress;
    private final String protocol;
    private final String method;
    private final Message request;
    private final long receivedNanos = System.nanoTime();
    private volatile @Nullable Object attachment;

    LocalCall(
        UserGroupInformation user,
        InetSocketAddress clientAddress,
        String protocol,
        String method,
        Message request) {
      this.user = user;
      this.clientAddress = clientAddress;
      this.protocol = protocol;
      this.method = method;
      this.request = request;
    }

    @Override
    public UserGroupInformation user() {
      return user;
    }

    @Override
    public InetSocketAddress clientAddress() {
      return clientAddress;
    }

    @Override
    public String protocol() {
      return protocol;
    }

    @Override
    public String method() {
      return method;
    }

    @Override
    public long receivedNanos() {
      return receivedNanos;
    }

    @Override
    public Message request() {
      return request;
    }

    @Override
    public int requestBytes() {
      return request.getSerializedSize();
    }

    @Override
    public void attach(Object value) {
      attachment = value;
    }

    @Override
    public @Nullable Object attachment() {
      return attachment;
    }

    @Override
    public boolean isIsolated() {
      return false;
    }

    @Override
    public @Nullable Executor networkThread() {
      return null;
    }

    @Override
    public boolean isLocal() {
      return true;
    }

    @Override
    public int callId() {
      return NO_CALL_ID;
    }

    @Override
    public byte[] clientId() {
      return NO_CLIENT_ID;
    }

    @Override
    public int retryCount() {
      return NO_CALL_ID;
    }

    @Override
    public @Nullable CallerContext callerContext() {
      return null;
    }
  }
}
