package io.acaciafs.rpc;

import java.util.concurrent.CompletionStage;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * One method of a protocol, answered when its future completes. It is called on a network thread
 * and must not wait; the future may complete on any thread.
 *
 * @param <Q> the request
 */
@FunctionalInterface
public interface AsyncRpcMethod<Q extends Message> {
  /**
   * @return the reply to come, never null
   * @throws Exception what the client shall see, as if the future had failed with it
   */
  CompletionStage<? extends Message> call(RpcCall call, Q request) throws Exception;
}
