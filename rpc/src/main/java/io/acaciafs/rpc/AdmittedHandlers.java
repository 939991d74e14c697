package io.acaciafs.rpc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** Puts an {@link Admission} before handlers. Stateless. */
record AdmittedHandlers(Admission admission) {

  RpcProtocol.Handler of(RpcProtocol.Handler handler) {
    if (handler instanceof RpcProtocol.ByFuture later) {
      return new RpcProtocol.ByFuture(admittedAsync(later.method()));
    }
    if (handler instanceof RpcProtocol.Reusable) {
      throw new IllegalArgumentException("What has to be admitted has no replies to use again");
    }
    return handler instanceof RpcProtocol.OnWorker elsewhere
        ? new RpcProtocol.OnWorker(admitted(elsewhere.method()))
        : new RpcProtocol.OnNetworkThread(
            admitted(((RpcProtocol.OnNetworkThread) handler).method()));
  }

  private static boolean isDone(CompletionStage<?> stage) {
    return stage instanceof CompletableFuture<?> future && future.isDone();
  }

  private RpcMethod<Message> admitted(RpcMethod<Message> method) {
    return (call, request) -> {
      admission.admit(call, request);
      try {
        return method.call(call, request);
      } finally {
        admission.done(call);
      }
    };
  }

  private AsyncRpcMethod<Message> admittedAsync(AsyncRpcMethod<Message> method) {
    return (call, request) -> {
      admission.admit(call, request);
      CompletionStage<? extends Message> stage;
      try {
        stage = method.call(call, request);
      } catch (Throwable t) {
        admission.done(call);
        throw t;
      }
      if (stage != null && !isDone(stage)) {
        stage.whenComplete((reply, failure) -> admission.done(call));
      } else {
        admission.done(call);
      }
      return stage;
    };
  }
}
