package io.acaciafs.namenode.calls;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.reply.NotYet;
import io.acaciafs.namenode.reply.SafeModeGuard;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.GetBlockKeysRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.GetBlockKeysResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.GetBlocksRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.GetBlocksResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.GetNextSPSPathRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.GetNextSPSPathResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.IsRollingUpgradeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.IsRollingUpgradeResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.IsUpgradeFinalizedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.IsUpgradeFinalizedResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.NamenodeProtocolService;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;

/** NamenodeProtocol: what other servers and HDFS's own tools, such as the balancer, ask. */
public final class PeerCalls {
  private final BlockManager blocks;
  private final Callers callers;
  private final SafeModeGuard safeMode;

  public PeerCalls(BlockManager blocks, Callers callers, SafeModeGuard safeMode) {
    this.blocks = blocks;
    this.callers = callers;
    this.safeMode = safeMode;
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            "org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol",
            1,
            NamenodeProtocolService.newReflectiveBlockingService(null))
        .method(
            "versionRequest",
            VersionRequestProto.class,
            (call, request) ->
                VersionResponseProto.newBuilder()
                    .setInfo(PBHelper.convert(blocks.versionRequest()))
                    .build())
        .blockingMethod("getBlocks", GetBlocksRequestProto.class, this::getBlocks)
        .method("getBlockKeys", GetBlockKeysRequestProto.class, this::getBlockKeys)
        // there are no upgrades by a restart with -upgrade
        .method(
            "isUpgradeFinalized",
            IsUpgradeFinalizedRequestProto.class,
            (call, request) -> {
              callers.checkSuperuser(call);
              return IsUpgradeFinalizedResponseProto.newBuilder()
                  .setIsUpgradeFinalized(true)
                  .build();
            })
        .method(
            "isRollingUpgrade",
            IsRollingUpgradeRequestProto.class,
            (call, request) -> {
              callers.checkSuperuser(call);
              return IsRollingUpgradeResponseProto.newBuilder()
                  .setIsRollingUpgrade(blocks.upgrades().isUnderWay())
                  .build();
            })
        .method("getNextSPSPath", GetNextSPSPathRequestProto.class, this::getNextSpsPath)
        .otherwise(
            (call, request) -> {
              callers.checkSuperuser(call);
              throw NotYet.refusal(call.method());
            })
        .build();
  }

  private GetBlocksResponseProto getBlocks(RpcCall call, GetBlocksRequestProto request)
      throws IOException {
    if (request.getSize() <= 0 || request.getMinBlockSize() < 0) {
      throw new IllegalArgumentException("Unexpected not positive size: " + request.getSize());
    }
    callers.checkSuperuser(call);
    if (blocks.safeMode().isOn()) {
      throw safeMode.refusal("Cannot execute getBlocks");
    }
    StorageType storageType =
        request.hasStorageType()
            ? PBHelperClient.convertStorageType(request.getStorageType())
            : null;
    return GetBlocksResponseProto.newBuilder()
        .setBlocks(
            PBHelper.convert(
                blocks.blocksOf(
                    PBHelperClient.convert(request.getDatanode()),
                    request.getSize(),
                    request.getMinBlockSize(),
                    storageType)))
        .build();
  }

  /** With them the balancer and the mover sign tokens of their own. */
  private GetBlockKeysResponseProto getBlockKeys(RpcCall call, GetBlockKeysRequestProto request)
      throws IOException {
    callers.checkSuperuser(call);
    return GetBlockKeysResponseProto.newBuilder()
        .setKeys(PBHelper.convert(blocks.tokens().exportedKeys()))
        .build();
  }

  /** As HDFS where no service outside moves blocks to where their policies want them. */
  private GetNextSPSPathResponseProto getNextSpsPath(
      RpcCall call, GetNextSPSPathRequestProto request) throws IOException {
    callers.checkSuperuser(call, call.method());
    throw new IOException(
        "SPS service mode is NONE, so external SPS service is not allowed to fetch the path Ids");
  }
}
