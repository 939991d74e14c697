package io.acaciafs.rpc.codec;

import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;

/** A request after which the connection cannot go on; the client is told why, then it is closed. */
public final class FatalRequestException extends Exception {
  private final transient RpcFailure failure;

  public FatalRequestException(
      RpcErrorCodeProto code, Class<? extends Exception> told, String message) {
    super(message, null, false, false);
    failure = new RpcFailure(RpcStatusProto.FATAL, code, told.getName(), message);
  }

  /** The client sees an {@link RpcServerException}. */
  public FatalRequestException(RpcErrorCodeProto code, String message) {
    this(code, RpcServerException.class, message);
  }

  public RpcFailure failure() {
    return failure;
  }
}
