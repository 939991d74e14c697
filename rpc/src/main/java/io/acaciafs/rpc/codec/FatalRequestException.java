package io.acaciafs.rpc.codec;

import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;

/** A request after which the connection has to close; the client gets the reason. */
public final class FatalRequestException extends Exception {
  private final transient RpcFailure failure;

  public FatalRequestException(
      RpcErrorCodeProto code, Class<? extends Exception> reported, String message) {
    super(message, null, false, false);
    failure = new RpcFailure(RpcStatusProto.FATAL, code, reported.getName(), message);
  }

  /** The client sees an {@link RpcServerException}. */
  public FatalRequestException(RpcErrorCodeProto code, String message) {
    this(code, RpcServerException.class, message);
  }

  public RpcFailure failure() {
    return failure;
  }
}
