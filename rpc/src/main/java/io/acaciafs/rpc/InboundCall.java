package io.acaciafs.rpc;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.method.ServedMethod;
import io.acaciafs.rpc.protocol.TimedCall;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RPCCallerContextProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** A call of one connection. */
final class InboundCall implements TimedCall {
  private final RpcConnection connection;
  private final CallIds ids;
  private final RPCCallerContextProto callerContext;
  private final UserGroupInformation user;
  private final ServedMethod method;
  private final long receivedNanos;
  private final long startedNanos;
  private final byte[] frame;
  private final int offset;
  private final boolean apart;
  private volatile Executor networkThread;
  private volatile Object attachment;
  private volatile int attempts;
  private volatile long runNanos;
  private volatile long returnedNanos;

  /**
   * @param connection null in tests of what needs none
   * @param callerContext or null
   * @param frame the whole call
   * @param offset where the request begins in it
   */
  InboundCall(
      RpcConnection connection,
      CallIds ids,
      RPCCallerContextProto callerContext,
      UserGroupInformation user,
      ServedMethod method,
      long receivedNanos,
      long startedNanos,
      byte[] frame,
      int offset) {
    this.connection = connection;
    this.ids = ids;
    this.callerContext = callerContext;
    this.user = user;
    this.method = method;
    this.receivedNanos = receivedNanos;
    this.startedNanos = startedNanos;
    this.frame = frame;
    this.offset = offset;
    this.apart = connection != null && connection.isIsolated();
  }

  /** Another request to the same method, as if it had come now. */
  InboundCall followedBy(byte[] request) {
    long nowNanos = System.nanoTime();
    return new InboundCall(connection, ids, null, user, method, nowNanos, nowNanos, request, 0);
  }

  ServedMethod served() {
    return method;
  }

  CallIds ids() {
    return ids;
  }

  @Override
  public long startedNanos() {
    return startedNanos;
  }

  /** The whole call. */
  byte[] frame() {
    return frame;
  }

  /** Where the request begins in the frame. */
  int offset() {
    return offset;
  }

  @Override
  public Message request() throws IOException {
    int length = frame.length - offset;
    return method.parse(CodedInputStream.newInstance(frame, offset, length), length);
  }

  @Override
  public int requestBytes() {
    return frame.length;
  }

  @Override
  public boolean isIsolated() {
    return apart;
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public Executor networkThread() {
    return networkThread;
  }

  /** It begins on its network thread, in a server whose calls may wait. */
  void mustNotWait() {
    networkThread = connection.chargingExecutor();
  }

  /** It begins again on a worker. */
  void mayWait() {
    networkThread = null;
  }

  @Override
  public synchronized void attach(Object value) {
    attachment = value;
    attempts++;
  }

  @Override
  public int attempts() {
    return attempts;
  }

  /** The method begins, perhaps not for the first time. Noted only where somebody wants to know. */
  void runs(long nowNanos) {
    if (runNanos == 0) {
      runNanos = nowNanos;
    }
  }

  /** The method has returned, perhaps a reply to come. */
  void returned(long nowNanos) {
    returnedNanos = nowNanos;
  }

  @Override
  public long runNanos() {
    return runNanos;
  }

  @Override
  public long returnedNanos() {
    return returnedNanos;
  }

  @Override
  public Object attachment() {
    return attachment;
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
