package io.acaciafs.namenode.permission;

import io.acaciafs.rpc.protocol.RpcCall;
import java.net.InetAddress;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Runs code of a site so that it finds the call where it would find it in a server of Hadoop: the
 * client's address and user in {@link Server}, the context in {@link CallerContext}.
 */
final class CallScope {
  private final RpcCall call;

  CallScope(RpcCall call) {
    this.call = call;
  }

  /** What is run. */
  @FunctionalInterface
  interface Body<T, E extends Exception> {
    T run() throws E;
  }

  <T, E extends Exception> T run(Body<T, E> body) throws E {
    Server.Call callBefore = Server.getCurCall().get();
    CallerContext contextBefore = CallerContext.getCurrent();
    Server.getCurCall().set(new HadoopCall(call));
    CallerContext.setCurrent(call.callerContext());
    try {
      return body.run();
    } finally {
      Server.getCurCall().set(callBefore);
      CallerContext.setCurrent(contextBefore);
    }
  }

  /** A call as Hadoop's server knows it. */
  private static final class HadoopCall extends Server.Call {
    private final RpcCall call;

    private HadoopCall(RpcCall call) {
      super(
          call.callId(),
          call.retryCount(),
          null,
          null,
          RPC.RpcKind.RPC_PROTOCOL_BUFFER,
          call.clientId());
      this.call = call;
    }

    @Override
    public UserGroupInformation getRemoteUser() {
      return call.user();
    }

    @Override
    public InetAddress getHostInetAddress() {
      return call.clientAddress().getAddress();
    }

    @Override
    public int getRemotePort() {
      return call.clientAddress().getPort();
    }

    @Override
    public String getProtocol() {
      return call.protocol();
    }
  }
}
