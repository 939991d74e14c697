package io.acaciafs.rpc.protocol;

import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * One method of a protocol that returns its reply. The registration decides whether it runs on a
 * network thread, where it must not wait, or on a worker.
 *
 * @param <Q> the request
 */
@FunctionalInterface
public interface RpcMethod<Q extends Message> {
  /**
   * @return the reply, never null
   * @throws Exception the failure that the client gets; an {@code RpcServerException} with status
   *     FATAL also closes the connection
   */
  Message call(RpcCall call, Q request) throws Exception;
}
