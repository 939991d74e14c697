package io.acaciafs.rpc;

import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * One method of a protocol, answered before it returns. Whether that is on a network thread, where
 * it must not wait for anything, or on a worker is the registration's choice.
 *
 * @param <Q> the request
 */
@FunctionalInterface
public interface RpcMethod<Q extends Message> {
  /**
   * @return the reply, never null
   * @throws Exception what the client shall see; an {@code RpcServerException} with status FATAL
   *     also closes the connection
   */
  Message call(RpcCall call, Q request) throws Exception;
}
