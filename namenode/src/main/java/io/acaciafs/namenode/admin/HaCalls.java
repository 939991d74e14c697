package io.acaciafs.namenode.admin;

import io.acaciafs.namenode.ha.HaRole;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
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
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.TransitionToObserverResponseProto;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.TransitionToStandbyRequestProto;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.TransitionToStandbyResponseProto;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** What {@code hdfs haadmin} asks. */
public final class HaCalls {
  private final Callers callers;
  private final HaRole role;

  public HaCalls(Callers callers, HaRole role) {
    this.callers = callers;
    this.role = role;
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            "org.apache.hadoop.ha.HAServiceProtocol",
            1,
            HAServiceProtocolService.newReflectiveBlockingService(null))
        .method("getServiceStatus", GetServiceStatusRequestProto.class, this::status)
        .method(
            "monitorHealth",
            MonitorHealthRequestProto.class,
            (call, request) -> {
              callers.checkSuperuser(call);
              return MonitorHealthResponseProto.getDefaultInstance();
            })
        .blockingMethod(
            "transitionToActive",
            TransitionToActiveRequestProto.class,
            (call, request) -> {
              callers.checkSuperuser(call);
              role.becomeActive();
              return TransitionToActiveResponseProto.getDefaultInstance();
            })
        .blockingMethod(
            "transitionToStandby",
            TransitionToStandbyRequestProto.class,
            (call, request) -> {
              callers.checkSuperuser(call);
              role.becomeStandby();
              return TransitionToStandbyResponseProto.getDefaultInstance();
            })
        .method("transitionToObserver", TransitionToObserverRequestProto.class, this::observe)
        .build();
  }

  private GetServiceStatusResponseProto status(RpcCall call, GetServiceStatusRequestProto request) {
    boolean isActive = role.state() == HAServiceState.ACTIVE;
    return GetServiceStatusResponseProto.newBuilder()
        .setState(isActive ? HAServiceStateProto.ACTIVE : HAServiceStateProto.STANDBY)
        .setReadyToBecomeActive(true)
        .build();
  }

  /** Each NameNode that stands by is an observer. Source of the text: HDFS 3.5's HAState. */
  private Message observe(RpcCall call, Message request) throws IOException {
    callers.checkSuperuser(call);
    if (role.state() == HAServiceState.ACTIVE) {
      throw new ServiceFailedException("Transition from state active to observer is not allowed.");
    }
    return TransitionToObserverResponseProto.getDefaultInstance();
  }
}
