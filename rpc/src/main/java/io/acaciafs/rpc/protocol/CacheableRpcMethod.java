package io.acaciafs.rpc.protocol;

import java.util.concurrent.CompletionStage;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * One read-only method of a protocol whose replies may be cached. Called like an {@link
 * AsyncRpcMethod}. In a server whose calls may wait it is called on the network thread first, and
 * again on a worker if it fails with {@link MustWaitException}.
 *
 * @param <Q> the request
 */
@FunctionalInterface
public interface CacheableRpcMethod<Q extends Message> {
  /**
   * @return never null
   * @throws Exception the failure that the client gets, as if the future had failed with it
   */
  CompletionStage<CacheableReply> call(RpcCall call, Q request) throws Exception;
}
