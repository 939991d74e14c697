package io.acaciafs.rpc.protocol;

import java.util.concurrent.CompletionStage;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * One method of a protocol that returns a future of its reply. It is called on a network thread and
 * must not wait; the future may complete on any thread.
 *
 * @param <Q> the request
 */
@FunctionalInterface
public interface AsyncRpcMethod<Q extends Message> {
  /**
   * @return never null
   * @throws Exception the failure that the client gets, as if the future had failed with it
   */
  CompletionStage<? extends Message> call(RpcCall call, Q request) throws Exception;
}
