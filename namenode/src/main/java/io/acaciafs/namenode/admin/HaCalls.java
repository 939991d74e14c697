package io.acaciafs.namenode.admin;

import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import org.apache.hadoop.ha.ServiceFailedException;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.GetServiceStatusRequestProto;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.GetServiceStatusResponseProto;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.HAServiceProtocolService;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.HAServiceStateProto;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.MonitorHealthRequestProto;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.MonitorHealthResponseProto;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.TransitionToActiveRequestProto;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.TransitionToActiveResponseProto;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.TransitionToObserverRequestProto;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.TransitionToStandbyRequestProto;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** What {@code hdfs haadmin} asks: every NameNode that answers is active, and stays so. */
public final class HaCalls {
  private final Callers callers;

  public HaCalls(Callers callers) {
    this.callers = callers;
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            "org.apache.hadoop.ha.HAServiceProtocol",
            1,
            HAServiceProtocolService.newReflectiveBlockingService(null))
        .method(
            "getServiceStatus",
            GetServiceStatusRequestProto.class,
            (call, request) ->
                GetServiceStatusResponseProto.newBuilder()
                    .setState(HAServiceStateProto.ACTIVE)
                    .setReadyToBecomeActive(true)
                    .build())
        .method(
            "monitorHealth",
            MonitorHealthRequestProto.class,
            (call, request) -> {
              callers.checkSuperuser(call);
              return MonitorHealthResponseProto.getDefaultInstance();
            })
        .method(
            "transitionToActive",
            TransitionToActiveRequestProto.class,
            (call, request) -> {
              callers.checkSuperuser(call);
              return TransitionToActiveResponseProto.getDefaultInstance();
            })
        .method("transitionToStandby", TransitionToStandbyRequestProto.class, this::refuse)
        .method("transitionToObserver", TransitionToObserverRequestProto.class, this::refuse)
        .build();
  }

  private Message refuse(RpcCall call, Message request) throws IOException {
    callers.checkSuperuser(call);
    throw new ServiceFailedException(
        "Every NameNode of this cluster is active. To take one out of service, stop it");
  }
}
