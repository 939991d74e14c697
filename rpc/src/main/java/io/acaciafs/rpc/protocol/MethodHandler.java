package io.acaciafs.rpc.protocol;

import org.apache.hadoop.thirdparty.protobuf.Message;

/** How a method of a protocol runs. */
public sealed interface MethodHandler {

  /** Answered before the method returns, on the network thread, where it must not wait. */
  record OnNetworkThread(RpcMethod<Message> method) implements MethodHandler {}

  /** Answered before the method returns, on a worker, where it may wait. */
  record OnWorker(RpcMethod<Message> method) implements MethodHandler {}

  /** Answered when the method's future completes. */
  record ByFuture(AsyncRpcMethod<Message> method) implements MethodHandler {}

  /**
   * Answered like {@link ByFuture}; a later call with the same request may get the same reply.
   *
   * @param perClient whether replies to different addresses differ
   */
  record Cacheable(CacheableRpcMethod<Message> method, boolean perClient)
      implements MethodHandler {}
}
