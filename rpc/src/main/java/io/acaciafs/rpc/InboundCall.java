package io.acaciafs.rpc;

import java.net.InetSocketAddress;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RPCCallerContextProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.security.UserGroupInformation;

/** A call of one connection. */
final class InboundCall implements RpcCall {
  private final RpcConnection connection;
  private final RpcRequestHeaderProto header;
  private final UserGroupInformation user;
  private final ServedMethod method;
  private final long receivedNanos;
  private final long startedNanos;

  InboundCall(
      RpcConnection connection,
      RpcRequestHeaderProto header,
      UserGroupInformation user,
      ServedMethod method,
      long receivedNanos,
      long startedNanos) {
    this.connection = connection;
    this.header = header;
    this.user = user;
    this.method = method;
    this.receivedNanos = receivedNanos;
    this.startedNanos = startedNanos;
  }

  ServedMethod served() {
    return method;
  }

  CallIds ids() {
    return CallIds.of(header);
  }

  long startedNanos() {
    return startedNanos;
  }

  @Override
  public UserGroupInformation user() {
    return user;
  }

  @Override
  public InetSocketAddress clientAddress() {
    return connection.clientAddress();
  }

  @Override
  public int callId() {
    return header.getCallId();
  }

  @Override
  public byte[] clientId() {
    return header.getClientId().toByteArray();
  }

  @Override
  public int retryCount() {
    return header.getRetryCount();
  }

  @Override
  public CallerContext callerContext() {
    if (!header.hasCallerContext()) {
      return null;
    }
    RPCCallerContextProto context = header.getCallerContext();
    return new CallerContext.Builder(context.getContext())
        .setSignature(context.getSignature().toByteArray())
        .build();
  }

  @Override
  public String protocol() {
    return method.protocol();
  }

  @Override
  public String method() {
    return method.name();
  }

  @Override
  public long receivedNanos() {
    return receivedNanos;
  }

  @Override
  public String toString() {
    return method()
        + " user="
        + user.getUserName()
        + " client="
        + clientAddress()
        + " callId="
        + callId()
        + " retryCount="
        + retryCount();
  }
}
