package io.acaciafs.rpc.protocol;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** Wraps the handlers of methods whose calls must be admitted. Stateless. */
record AdmittedHandlers(Admission admission) {

  MethodHandler of(MethodHandler handler) {
    if (handler instanceof MethodHandler.ByFuture later) {
      return new MethodHandler.ByFuture(admittedAsync(later.method()));
    }
    if (handler instanceof MethodHandler.Cacheable) {
      throw new IllegalArgumentException(
          "A method that needs admission cannot have cacheable replies");
    }
    return handler instanceof MethodHandler.OnWorker elsewhere
        ? new MethodHandler.OnWorker(admitted(elsewhere.method()))
        : new MethodHandler.OnNetworkThread(
            admitted(((MethodHandler.OnNetworkThread) handler).method()));
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
