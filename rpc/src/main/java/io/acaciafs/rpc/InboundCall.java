package io.acaciafs.rpc;

import java.net.InetSocketAddress;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RPCCallerContextProto;
import org.apache.hadoop.security.UserGroupInformation;

/** A call of one connection. */
final class InboundCall implements RpcCall {
  private final RpcConnection connection;
  private final CallIds ids;
  private final RPCCallerContextProto callerContext;
  private final UserGroupInformation user;
  private final ServedMethod method;
  private final long receivedNanos;
  private final long startedNanos;

  /**
   * @param callerContext or null
   */
  InboundCall(
      RpcConnection connection,
      CallIds ids,
      RPCCallerContextProto callerContext,
      UserGroupInformation user,
      ServedMethod method,
      long receivedNanos,
      long startedNanos) {
    this.connection = connection;
    this.ids = ids;
    this.callerContext = callerContext;
    this.user = user;
    this.method = method;
    this.receivedNanos = receivedNanos;
    this.startedNanos = startedNanos;
  }

  ServedMethod served() {
    return method;
  }

  CallIds ids() {
    return ids;
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
    return ids.callId();
  }

  @Override
  public byte[] clientId() {
    return ids.clientId().toByteArray();
  }

  @Override
  public int retryCount() {
    return ids.retryCount();
  }

  @Override
  public CallerContext callerContext() {
    if (callerContext == null) {
      return null;
    }
    return new CallerContext.Builder(callerContext.getContext())
        .setSignature(callerContext.getSignature().toByteArray())
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
