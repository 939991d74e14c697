package io.acaciafs.rpc;

import java.util.concurrent.CompletionStage;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * One method of a protocol that only looks, and whose replies may be used again. Called as an
 * {@link AsyncRpcMethod} is; where calls may wait, on the network thread first, and again on a
 * worker if it fails with {@link MustWaitException}.
 *
 * @param <Q> the request
 */
@FunctionalInterface
public interface ReusableRpcMethod<Q extends Message> {
  /**
   * @return the reply to come, never null
   * @throws Exception what the client shall see, as if the future had failed with it
   */
  CompletionStage<ReusableReply> call(RpcCall call, Q request) throws Exception;
}
