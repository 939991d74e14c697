package io.acaciafs.rpc.call;

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
import org.jspecify.annotations.Nullable;

/** A call of one connection. The network thread makes it; any thread may read it. */
public final class InboundCall implements TimedCall {
  private final CallConnection connection;
  private volatile CallIds ids;
  private final UserGroupInformation user;
  private final ServedMethod method;
  private final byte[] frame;
  private final int offset;
  private final long receivedNanos;
  private final long startedNanos = System.nanoTime();
  private final boolean isolated;
  private @Nullable RPCCallerContextProto callerContext;
  private volatile @Nullable Executor networkThread;
  private volatile @Nullable Object attachment;
  private volatile int attempts;
  private volatile long runNanos;
  private volatile long returnedNanos;

  /**
   * @param frame the whole call
   * @param offset where the request begins in the frame
   */
  InboundCall(
      CallConnection connection,
      CallIds ids,
      UserGroupInformation user,
      ServedMethod method,
      byte[] frame,
      int offset,
      long receivedNanos) {
    this.connection = connection;
    this.ids = ids;
    this.user = user;
    this.method = method;
    this.frame = frame;
    this.offset = offset;
    this.receivedNanos = receivedNanos;
    this.isolated = connection.isIsolated();
  }

  /** Sets the caller context; before any other thread sees the call. */
  InboundCall withCallerContext(RPCCallerContextProto context) {
    callerContext = context;
    return this;
  }

  /** Another request of the same caller to the same method, as if it had come now. */
  InboundCall followedBy(byte[] request) {
    return new InboundCall(connection, ids, user, method, request, 0, System.nanoTime());
  }

  CallConnection connection() {
    return connection;
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
    return isolated;
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public @Nullable Executor networkThread() {
    return networkThread;
  }

  /** The method is about to run on the network thread, in a server whose calls may wait. */
  void beginOnNetworkThread() {
    networkThread = connection.chargingExecutor();
  }

  /** The method is about to run again, on a worker. */
  void beginOnWorker() {
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

  /** The method is about to run; only the first time counts. */
  void noteRun(long nowNanos) {
    if (runNanos == 0) {
      runNanos = nowNanos;
    }
  }

  /** The method has returned, perhaps a future; 0: it runs again. */
  void noteReturn(long nowNanos) {
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
  public @Nullable Object attachment() {
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
  public @Nullable String auxiliaryPortQop() {
    return connection.auxiliaryPortQop();
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
  public long stateId() {
    return ids.stateId();
  }

  @Override
  public void restsOn(long stateId) {
    ids = ids.seeing(stateId);
  }

  @Override
  public @Nullable CallerContext callerContext() {
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
