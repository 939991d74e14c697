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
  private final ServiceHealth health;

  public HaCalls(Callers callers, HaRole role, ServiceHealth health) {
    this.callers = callers;
    this.role = role;
    this.health = health;
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            "org.apache.hadoop.ha.HAServiceProtocol",
            1,
            HAServiceProtocolService.newReflectiveBlockingService(null))
        .method("getServiceStatus", GetServiceStatusRequestProto.class, this::status)
        .blockingMethod(
            "monitorHealth",
            MonitorHealthRequestProto.class,
            (call, request) -> {
              callers.checkSuperuser(call);
              health.check();
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
    GetServiceStatusResponseProto.Builder status = GetServiceStatusResponseProto.newBuilder();
    HAServiceState state = role.state();
    if (state == HAServiceState.ACTIVE) {
      return status.setState(HAServiceStateProto.ACTIVE).setReadyToBecomeActive(true).build();
    }
    if (state == HAServiceState.INITIALIZING) {
      return status
          .setState(HAServiceStateProto.INITIALIZING)
          .setReadyToBecomeActive(false)
          .setNotReadyReason("State is " + state)
          .build();
    }
    String obstacle = health.obstacle();
    status.setState(HAServiceStateProto.STANDBY).setReadyToBecomeActive(obstacle == null);
    if (obstacle != null) {
      status.setNotReadyReason(obstacle);
    }
    return status.build();
  }

  /** Each NameNode that stands by is an observer. Source of the text: HDFS 3.5's NameNode. */
  private Message observe(RpcCall call, Message request) throws IOException {
    callers.checkSuperuser(call);
    if (role.state() == HAServiceState.ACTIVE) {
      throw new ServiceFailedException("Cannot transition from 'active' to 'observer'");
    }
    return TransitionToObserverResponseProto.getDefaultInstance();
  }
}
