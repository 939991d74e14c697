package io.acaciafs.namenode.admin;

import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import org.apache.hadoop.ipc.proto.RefreshCallQueueProtocolProtos.RefreshCallQueueProtocolService;
import org.apache.hadoop.ipc.proto.RefreshCallQueueProtocolProtos.RefreshCallQueueRequestProto;
import org.apache.hadoop.ipc.proto.RefreshCallQueueProtocolProtos.RefreshCallQueueResponseProto;

/**
 * RefreshCallQueueProtocol ({@code dfsadmin -refreshCallQueue}): rereads when separate threads
 * serve a user. hadoop-policy.xml says which users may call it, as in HDFS.
 */
public final class RefreshCallQueueCalls {
  /** Rereads the configuration and follows it. */
  public interface Action {
    /**
     * @throws IOException with a sentence when it cannot
     */
    void run() throws IOException;
  }

  private final Action action;

  public RefreshCallQueueCalls(Action action) {
    this.action = action;
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            "org.apache.hadoop.ipc.RefreshCallQueueProtocol",
            1,
            RefreshCallQueueProtocolService.newReflectiveBlockingService(null))
        .blockingMethod("refreshCallQueue", RefreshCallQueueRequestProto.class, this::refresh)
        .build();
  }

  private RefreshCallQueueResponseProto refresh(RpcCall call, RefreshCallQueueRequestProto request)
      throws IOException {
    action.run();
    return RefreshCallQueueResponseProto.getDefaultInstance();
  }
}
