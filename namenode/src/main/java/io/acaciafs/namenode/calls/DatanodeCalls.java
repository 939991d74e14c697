package io.acaciafs.namenode.calls;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.kv.Store;
import io.acaciafs.namenode.ha.HeardDatanodes;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.NotYet;
import io.acaciafs.namenode.reply.RoutedClients;
import io.acaciafs.namenode.reply.SafeModeGuard;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeStatus;
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
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReportBadBlocksRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReportBadBlocksResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageBlockReportProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageReceivedDeletedBlocksProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.RollingUpgradeStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.protocol.BlockReportContext;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.HeartbeatResponse;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.StorageBlockReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** DatanodeProtocol: what Hadoop's unmodified DataNodes say. */
public final class DatanodeCalls {
  private static final Logger LOG = LoggerFactory.getLogger(DatanodeCalls.class);

  private final BlockManager blocks;
  private final Store store;
  private final int maxDataLength;
  private final SafeModeGuard safeMode;

  /**
   * @param maxDataLength ipc.maximum.data.length, bounds a decoded report
   */
  public DatanodeCalls(
      BlockManager blocks, Store store, int maxDataLength, SafeModeGuard safeMode) {
    this.blocks = blocks;
    this.store = store;
    this.maxDataLength = maxDataLength;
    this.safeMode = safeMode;
  }

  public RpcProtocol protocol(RecoveryCalls recoveries) {
    RpcProtocol.Builder protocol =
        RpcProtocol.builder(
                "org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol",
                1,
                DatanodeProtocolService.newReflectiveBlockingService(null))
            .method("versionRequest", VersionRequestProto.class, this::versionRequest)
            .asyncMethod(
                "registerDatanode", RegisterDatanodeRequestProto.class, this::registerDatanode)
            .asyncMethod("sendHeartbeat", HeartbeatRequestProto.class, this::sendHeartbeat)
            .blockingMethod("blockReport", BlockReportRequestProto.class, this::blockReport)
            .asyncMethod(
                "blockReceivedAndDeleted",
                BlockReceivedAndDeletedRequestProto.class,
                this::blockReceivedAndDeleted)
            .asyncMethod(
                "reportBadBlocks", ReportBadBlocksRequestProto.class, this::reportBadBlocks)
            .method("errorReport", ErrorReportRequestProto.class, this::errorReport)
            .method("cacheReport", CacheReportRequestProto.class, this::cacheReport)
            .otherwise(
                (call, request) -> {
                  throw NotYet.refusal(call.method());
                })
            .admission(safeMode);
    recoveries.register(protocol);
    return protocol.build();
  }

  private VersionResponseProto versionRequest(RpcCall call, VersionRequestProto request) {
    return VersionResponseProto.newBuilder()
        .setInfo(PBHelper.convert(blocks.versionRequest()))
        .build();
  }

  private CompletableFuture<RegisterDatanodeResponseProto> registerDatanode(
      RpcCall call, RegisterDatanodeRequestProto request) throws IOException {
    return Answers.inHdfsTerms(
            blocks.register(
                PBHelper.convert(request.getRegistration()), RoutedClients.connected(call)))
        .thenApply(
            registration ->
                RegisterDatanodeResponseProto.newBuilder()
                    .setRegistration(PBHelper.convert(registration))
                    .build());
  }

  /**
   * Commands rest on rows that may not be durable yet, and what a DataNode has deleted is gone: it
   * is told only when nothing can take the reason back.
   */
  CompletableFuture<HeartbeatResponseProto> sendHeartbeat(
      RpcCall call, HeartbeatRequestProto request) throws IOException {
    DatanodeRegistration registration = PBHelper.convert(request.getRegistration());
    HeartbeatResponse response =
        blocks.heartbeat(
            registration,
            PBHelperClient.convertStorageReports(request.getReportsList()),
            Heartbeats.load(request),
            request.getRequestFullBlockReportLease());
    HeartbeatResponseProto.Builder reply =
        HeartbeatResponseProto.newBuilder()
            .setHaStatus(PBHelper.convert(response.getNameNodeHaState()))
            .setFullBlockReportLeaseId(response.getFullBlockReportLeaseId());
    RollingUpgradeStatus upgrade = response.getRollingUpdateStatus();
    if (upgrade != null) {
      RollingUpgradeStatusProto told = PBHelperClient.convertRollingUpgradeStatus(upgrade);
      reply.setRollingUpgradeStatusV2(told);
      if (!upgrade.isFinalized()) { // the field of old DataNodes, for which absent is finalized
        reply.setRollingUpgradeStatus(told);
      }
    }
    for (DatanodeCommand command : response.getCommands()) {
      reply.addCmds(PBHelper.convert(command));
    }
    CompletableFuture<Void> durable =
        response.getCommands().length == 0
            ? CompletableFuture.completedFuture(null)
            : durable(registration);
    return durable.thenApply(nothing -> reply.build());
  }

  private CompletableFuture<Void> durable(DatanodeRegistration registration) {
    CompletableFuture<Void> durable;
    try {
      durable = store.begin().commit();
    } catch (RuntimeException e) {
      durable = CompletableFuture.failedFuture(e);
    }
    return Answers.inHdfsTerms(
        durable.whenComplete(
            (nothing, failure) -> {
              if (failure != null) {
                blocks.answerLost(registration);
              }
            }));
  }

  /**
   * Takes what DataNodes said to this process before it had a store. Those of which something may
   * be missing have to make a full report.
   */
  public void takeOver(HeardDatanodes heard) {
    Set<String> complete = heard.takeOver(said());
    blocks.takeOver(complete::contains);
  }

  /** Takes what a DataNode said to this process while it stood by; it was answered then. */
  HeardDatanodes.Listener said() {
    return new HeardDatanodes.Listener() {
      @Override
      public void registration(HeardDatanodes.Registration registration) {
        take(
            () ->
                blocks.register(
                    PBHelper.convert(registration.request().getRegistration()),
                    registration.clientMachine()));
      }

      @Override
      public void heartbeat(HeartbeatRequestProto heartbeat) {
        take(
            () -> {
              Heartbeats.tell(heartbeat, blocks::takeUnanswered);
              return CompletableFuture.completedFuture(null);
            });
      }

      @Override
      public CompletableFuture<?> report(BlockReceivedAndDeletedRequestProto report) {
        return take(() -> blockReceivedAndDeleted(report))
            .whenComplete(
                (nothing, failure) -> {
                  if (failure != null) {
                    blocks.reportLost(PBHelper.convert(report.getRegistration()));
                  }
                });
      }
    };
  }

  private static CompletableFuture<?> take(Callable<CompletableFuture<?>> said) {
    try {
      return said.call();
    } catch (Exception e) {
      LOG.info("What a DataNode had said to the standby is not taken: {}", e.toString());
      return CompletableFuture.failedFuture(e);
    }
  }

  private BlockReportResponseProto blockReport(RpcCall call, BlockReportRequestProto request)
      throws IOException {
    StorageBlockReport[] reports =
        request.getReportsList().stream()
            .map(
                report ->
                    new StorageBlockReport(
                        PBHelperClient.convert(report.getStorage()), replicas(report)))
            .toArray(StorageBlockReport[]::new);
    DatanodeCommand command =
        take(
            PBHelper.convert(request.getRegistration()),
            reports,
            request.hasContext() ? PBHelper.convert(request.getContext()) : null);
    BlockReportResponseProto.Builder reply = BlockReportResponseProto.newBuilder();
    if (command != null) {
      reply.setCmd(PBHelper.convert(command));
    }
    return reply.build();
  }

  private BlockListAsLongs replicas(StorageBlockReportProto report) {
    return report.hasNumberOfBlocks()
        ? BlockListAsLongs.decodeBuffers(
            (int) report.getNumberOfBlocks(), report.getBlocksBuffersList(), maxDataLength)
        : BlockListAsLongs.decodeLongs(report.getBlocksList(), maxDataLength);
  }

  /** Waits, on a worker's thread, until the report was taken. */
  private @Nullable DatanodeCommand take(
      DatanodeRegistration registration,
      StorageBlockReport[] reports,
      @Nullable BlockReportContext context)
      throws IOException {
    try {
      return blocks.blockReport(registration, reports, context);
    } catch (RuntimeException e) {
      if (Answers.hdfsTerm(e) instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("The report could not be taken", e);
    }
  }

  private CompletableFuture<BlockReceivedAndDeletedResponseProto> blockReceivedAndDeleted(
      RpcCall call, BlockReceivedAndDeletedRequestProto request) throws IOException {
    return blockReceivedAndDeleted(request);
  }

  private CompletableFuture<BlockReceivedAndDeletedResponseProto> blockReceivedAndDeleted(
      BlockReceivedAndDeletedRequestProto request) throws IOException {
    StorageReceivedDeletedBlocks[] events =
        request.getBlocksList().stream()
            .map(DatanodeCalls::events)
            .toArray(StorageReceivedDeletedBlocks[]::new);
    DatanodeRegistration registration = PBHelper.convert(request.getRegistration());
    return Answers.inHdfsTerms(blocks.blockReceivedAndDeleted(registration, events))
        .thenApply(nothing -> BlockReceivedAndDeletedResponseProto.getDefaultInstance());
  }

  private static StorageReceivedDeletedBlocks events(StorageReceivedDeletedBlocksProto events) {
    return new StorageReceivedDeletedBlocks(
        PBHelperClient.convert(events.getStorage()),
        events.getBlocksList().stream()
            .map(PBHelper::convert)
            .toArray(ReceivedDeletedBlockInfo[]::new));
  }

  private CompletableFuture<ReportBadBlocksResponseProto> reportBadBlocks(
      RpcCall call, ReportBadBlocksRequestProto request) throws IOException {
    LocatedBlock[] bad =
        request.getBlocksList().stream()
            .map(PBHelperClient::convertLocatedBlockProto)
            .toArray(LocatedBlock[]::new);
    return Answers.inHdfsTerms(blocks.reportBadBlocks(bad))
        .thenApply(nothing -> ReportBadBlocksResponseProto.getDefaultInstance());
  }

  private ErrorReportResponseProto errorReport(RpcCall call, ErrorReportRequestProto request)
      throws IOException {
    blocks.errorReport(
        PBHelper.convert(request.getRegistartion()), request.getErrorCode(), request.getMsg());
    return ErrorReportResponseProto.getDefaultInstance();
  }

  private CacheReportResponseProto cacheReport(RpcCall call, CacheReportRequestProto request)
      throws IOException {
    blocks.cacheReport(PBHelper.convert(request.getRegistration()));
    return CacheReportResponseProto.getDefaultInstance();
  }
}
