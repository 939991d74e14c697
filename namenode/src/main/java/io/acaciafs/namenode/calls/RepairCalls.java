package io.acaciafs.namenode.calls;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.record.MissingBlocks;
import io.acaciafs.kv.Reader;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.PathsOfFiles;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.ECBlockGroupStats;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFsECBlockGroupStatsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFsReplicatedBlockStatsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetSlowDatanodeReportRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetSlowDatanodeReportResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ListCorruptFileBlocksRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ListCorruptFileBlocksResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RefreshNodesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RefreshNodesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ReportBadBlocksRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ReportBadBlocksResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetBalancerBandwidthRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetBalancerBandwidthResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.CorruptFileBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;

/** What clients say and ask of damage, and what administrators do about DataNodes. */
public final class RepairCalls {
  private final Answers answers;
  private final BlockManager blocks;
  private final Reader reader;

  public RepairCalls(Answers answers, BlockManager blocks, Reader reader) {
    this.answers = answers;
    this.blocks = blocks;
    this.reader = reader;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod("reportBadBlocks", ReportBadBlocksRequestProto.class, this::reportBadBlocks)
        .blockingMethod("refreshNodes", RefreshNodesRequestProto.class, this::refreshNodes)
        .method(
            "setBalancerBandwidth",
            SetBalancerBandwidthRequestProto.class,
            this::setBalancerBandwidth)
        .blockingMethod(
            "listCorruptFileBlocks",
            ListCorruptFileBlocksRequestProto.class,
            this::listCorruptFileBlocks)
        .method(
            "getFsReplicatedBlockStats",
            GetFsReplicatedBlockStatsRequestProto.class,
            (call, request) -> PBHelperClient.convert(blocks.blockStats()))
        // there are no striped files
        .method(
            "getFsECBlockGroupStats",
            GetFsECBlockGroupStatsRequestProto.class,
            (call, request) -> PBHelperClient.convert(new ECBlockGroupStats(0, 0, 0, 0, 0, 0L, 0L)))
        // absent: slow peers are not tracked, as in HDFS by default
        .method(
            "getSlowDatanodeReport",
            GetSlowDatanodeReportRequestProto.class,
            (call, request) -> GetSlowDatanodeReportResponseProto.getDefaultInstance());
  }

  private CompletableFuture<ReportBadBlocksResponseProto> reportBadBlocks(
      RpcCall call, ReportBadBlocksRequestProto request) {
    LocatedBlock[] bad =
        request.getBlocksList().stream()
            .map(PBHelperClient::convertLocatedBlockProto)
            .toArray(LocatedBlock[]::new);
    return Answers.inHdfsTerms(blocks.reportBadBlocks(bad))
        .thenApply(nothing -> ReportBadBlocksResponseProto.getDefaultInstance());
  }

  private RefreshNodesResponseProto refreshNodes(RpcCall call, RefreshNodesRequestProto request)
      throws IOException {
    answers.callers().checkSuperuser(call);
    blocks.refreshNodes();
    return RefreshNodesResponseProto.getDefaultInstance();
  }

  private SetBalancerBandwidthResponseProto setBalancerBandwidth(
      RpcCall call, SetBalancerBandwidthRequestProto request) throws IOException {
    if (request.getBandwidth() > HdfsServerConstants.MAX_BANDWIDTH_PER_DATANODE) {
      throw new IllegalArgumentException(
          "Bandwidth should not exceed maximum limit "
              + HdfsServerConstants.MAX_BANDWIDTH_PER_DATANODE
              + " bytes per second");
    }
    answers.callers().checkSuperuser(call);
    blocks.setBalancerBandwidth(request.getBandwidth());
    return SetBalancerBandwidthResponseProto.getDefaultInstance();
  }

  /** As HDFS: the files below a directory, or the one file, that has an unreadable block. */
  private ListCorruptFileBlocksResponseProto listCorruptFileBlocks(
      RpcCall call, ListCorruptFileBlocksRequestProto request) throws IOException {
    answers.callers().checkSuperuser(call);
    CorruptFileBlocksProto.Builder files = CorruptFileBlocksProto.newBuilder();
    String cookie = request.getCookie();
    MissingBlocks page;
    do {
      page = blocks.missingBlocks(cookie);
      cookie = page.cookie();
      for (MissingBlocks.Missing missing : page.blocks()) {
        String path = PathsOfFiles.pathOf(reader, missing.fileId());
        if (path != null && isBelow(path, request.getPath())) {
          files.addFiles(path);
        }
      }
    } while (files.getFilesCount() == 0 && !page.blocks().isEmpty());
    return ListCorruptFileBlocksResponseProto.newBuilder()
        .setCorrupt(files.setCookie(cookie))
        .build();
  }

  /**
   * @param directory in any of its forms; empty: all
   */
  private static boolean isBelow(String path, String directory) {
    return directory.isEmpty() || DFSUtil.isParentEntry(path, new Path(directory).toString());
  }
}
