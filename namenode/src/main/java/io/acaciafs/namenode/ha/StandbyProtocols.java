package io.acaciafs.namenode.ha;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.namenode.reply.RoutedClients;
import io.acaciafs.namenode.reply.StandbyTexts;
import io.acaciafs.rpc.protocol.CacheableReply;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.HAServiceStateProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.HAServiceStateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.HAServiceStateResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeLifelineProtocolProtos.DatanodeLifelineProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReportRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReportResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.CacheReportRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.CacheReportResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ErrorReportRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ErrorReportResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.RegisterDatanodeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.RegisterDatanodeResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.NamenodeProtocolService;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.NNHAStatusHeartbeat;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * The protocols of HDFS as a standby NameNode answers them. Clients get the leader's answers, or
 * its own where they read from observers. Sources of texts: HDFS 3.5's StandbyState; of what
 * DataNodes expect: its BPServiceActor and BPOfferService.
 */
public final class StandbyProtocols {
  static final String CLIENT_PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol";

  /** Attached to a call that another NameNode answers. */
  private static final Object FORWARDED = new Object();

  private static final String GET_STATE = "getHAServiceState";
  private static final HAServiceStateProto STANDBY = HAServiceStateProto.STANDBY;
  private static final HAServiceStateProto OBSERVER = HAServiceStateProto.OBSERVER;

  private final ClusterIdentity identity;
  private final HeardDatanodes heard;
  private final boolean hasBlockTokens;
  private final List<RpcProtocol> administration;
  private final Forwarder forwarder;
  private final Function<RpcCall, @Nullable CompletableFuture<Message>> here;
  private final Supplier<@Nullable ObserverCalls> observer;

  /**
   * @param hasBlockTokens dfs.block.access.token.enable
   * @param administration what a standby answers as the leader does
   * @param forwarder has the leader answer clients
   * @param here runs a call of a client where this NameNode leads by then; gives null where not
   * @param observer answers reads here; gives null where it cannot now
   */
  public StandbyProtocols(
      ClusterIdentity identity,
      HeardDatanodes heard,
      boolean hasBlockTokens,
      List<RpcProtocol> administration,
      Forwarder forwarder,
      Function<RpcCall, @Nullable CompletableFuture<Message>> here,
      Supplier<@Nullable ObserverCalls> observer) {
    this.identity = identity;
    this.heard = heard;
    this.hasBlockTokens = hasBlockTokens;
    this.administration = List.copyOf(administration);
    this.forwarder = forwarder;
    this.here = here;
    this.observer = observer;
  }

  public List<RpcProtocol> all() {
    List<RpcProtocol> all = new ArrayList<>(List.of(client(), datanode(), lifeline(), nameNode()));
    all.addAll(administration);
    return all;
  }

  private RpcProtocol client() {
    BlockingService service = ClientNamenodeProtocol.newReflectiveBlockingService(null);
    RpcProtocol.Builder protocol =
        RpcProtocol.builder(CLIENT_PROTOCOL, 1, service)
            .method(
                GET_STATE,
                HAServiceStateRequestProto.class,
                (call, request) ->
                    HAServiceStateResponseProto.newBuilder()
                        .setState(observer.get() == null ? STANDBY : OBSERVER)
                        .build());
    for (MethodDescriptor method : service.getDescriptorForType().getMethods()) {
      if (!method.getName().equals(GET_STATE)) {
        add(
            protocol,
            method.getName(),
            service.getRequestPrototype(method).getClass(),
            service.getResponsePrototype(method));
      }
    }
    return protocol.build();
  }

  private <Q extends Message> void add(
      RpcProtocol.Builder protocol, String method, Class<Q> requestType, Message replyType) {
    if (ObserverCalls.METHODS.contains(method)) {
      protocol.cacheableMethod(
          method, requestType, true, (call, request) -> read(call, request, replyType));
    } else {
      protocol.asyncMethod(
          method, requestType, (call, request) -> forward(call, request, replyType));
    }
  }

  private CompletableFuture<Message> forward(RpcCall call, Message request, Message replyType) {
    call.attach(FORWARDED);
    return forwarder.forward(call, request, replyType, here);
  }

  private CompletableFuture<CacheableReply> read(RpcCall call, Message request, Message replyType) {
    ObserverCalls observing = observer.get();
    if (observing == null || !observing.takes(call)) {
      return forward(call, request, replyType).thenApply(CacheableReply::uncached);
    }
    return observing
        .answer(call, request)
        .exceptionallyCompose(
            failure ->
                ObserverCalls.isForLeader(failure)
                    ? forward(call, request, replyType).thenApply(CacheableReply::uncached)
                    : CompletableFuture.failedFuture(failure));
  }

  /** Of the calls that this NameNode answers by itself. */
  public static CallListener.Provider listeners(CallListener.Provider all) {
    return (protocol, method) -> {
      boolean isOfLeader =
          protocol.equals(CLIENT_PROTOCOL) && !ObserverCalls.METHODS.contains(method);
      CallListener listener = isOfLeader ? null : all.of(protocol, method);
      return listener == null ? null : listener.exceptAttached(FORWARDED);
    };
  }

  private static Message refuse(RpcCall call, Message request) throws IOException {
    throw StandbyTexts.refusal("UNCHECKED");
  }

  private RpcProtocol datanode() {
    return RpcProtocol.builder(
            "org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol",
            1,
            DatanodeProtocolService.newReflectiveBlockingService(null))
        .method("versionRequest", VersionRequestProto.class, this::version)
        .asyncMethod("registerDatanode", RegisterDatanodeRequestProto.class, this::register)
        .method("sendHeartbeat", HeartbeatRequestProto.class, this::heartbeat)
        .method("blockReceivedAndDeleted", BlockReceivedAndDeletedRequestProto.class, this::report)
        .method(
            "blockReport",
            BlockReportRequestProto.class,
            (call, request) -> BlockReportResponseProto.getDefaultInstance())
        .method(
            "cacheReport",
            CacheReportRequestProto.class,
            (call, request) -> CacheReportResponseProto.getDefaultInstance())
        .method(
            "errorReport",
            ErrorReportRequestProto.class,
            (call, request) -> ErrorReportResponseProto.getDefaultInstance())
        .otherwise(StandbyProtocols::refuse)
        .build();
  }

  /**
   * As the leader tells them: a DataNode believes the first NameNode whether blocks have tokens,
   * and refuses another one that says something else. Keys are for those alone that the leader
   * would take.
   *
   * @return fails with RetriableException where the keys are not known yet
   */
  private CompletableFuture<RegisterDatanodeResponseProto> register(
      RpcCall call, RegisterDatanodeRequestProto request) throws IOException {
    DatanodeRegistration registration = PBHelper.convert(request.getRegistration());
    identity.check(registration);
    String ip = RoutedClients.connected(call);
    if (!hasBlockTokens) {
      return registered(request, ip, ExportedBlockKeys.DUMMY_KEYS);
    }
    ObserverCalls observing = observer.get();
    CompletableFuture<DatanodeRegistration> admitted =
        observing == null ? null : observing.admit(registration, ip);
    return admitted == null
        ? CompletableFuture.failedFuture(
            new RetriableException("This NameNode stands by and has read no block keys yet"))
        : admitted.thenCompose(known -> registered(request, ip, known.getExportedKeys()));
  }

  private CompletableFuture<RegisterDatanodeResponseProto> registered(
      RegisterDatanodeRequestProto request, String ip, ExportedBlockKeys keys) {
    if (!heard.registered(
        request.getRegistration().getDatanodeID().getDatanodeUuid(),
        new HeardDatanodes.Registration(request, ip))) {
      return CompletableFuture.failedFuture(takesOver());
    }
    return CompletableFuture.completedFuture(
        RegisterDatanodeResponseProto.newBuilder()
            .setRegistration(
                request.getRegistration().toBuilder().setKeys(PBHelper.convert(keys)).build())
            .build());
  }

  /** A DataNode says again, after a second, what is answered with this. */
  private static RetriableException takesOver() {
    return new RetriableException("This NameNode changes its role");
  }

  /** Grants no lease for a full report: the leader wants it alone. */
  private HeartbeatResponseProto heartbeat(RpcCall call, HeartbeatRequestProto request)
      throws IOException {
    heard.heartbeat(request.getRegistration().getDatanodeID().getDatanodeUuid(), request);
    ObserverCalls observing = observer.get();
    if (observing != null) {
      observing.hear(request);
    }
    return HeartbeatResponseProto.newBuilder()
        .setHaStatus(PBHelper.convert(new NNHAStatusHeartbeat(HAServiceState.STANDBY, 0)))
        .setFullBlockReportLeaseId(0)
        .build();
  }

  private BlockReceivedAndDeletedResponseProto report(
      RpcCall call, BlockReceivedAndDeletedRequestProto request) throws IOException {
    if (!heard.report(request.getRegistration().getDatanodeID().getDatanodeUuid(), request)) {
      throw takesOver();
    }
    return BlockReceivedAndDeletedResponseProto.getDefaultInstance();
  }

  private VersionResponseProto version(RpcCall call, VersionRequestProto request) {
    return VersionResponseProto.newBuilder()
        .setInfo(PBHelper.convert(identity.namespaceInfo()))
        .build();
  }

  /** For one that is to join; the balancer asks the next NameNode. */
  private RpcProtocol nameNode() {
    return RpcProtocol.builder(
            "org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol",
            1,
            NamenodeProtocolService.newReflectiveBlockingService(null))
        .method("versionRequest", VersionRequestProto.class, this::version)
        .otherwise(StandbyProtocols::refuse)
        .build();
  }

  private static RpcProtocol lifeline() {
    return RpcProtocol.builder(
            "org.apache.hadoop.hdfs.server.protocol.DatanodeLifelineProtocol",
            1,
            DatanodeLifelineProtocolService.newReflectiveBlockingService(null))
        .otherwise(StandbyProtocols::refuse)
        .build();
  }
}
