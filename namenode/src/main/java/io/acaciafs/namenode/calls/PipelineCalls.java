package io.acaciafs.namenode.calls;

import io.acaciafs.blocks.token.BlockTokens;
import io.acaciafs.namenode.encode.BlockNames;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.SignedBlocks;
import io.acaciafs.namespace.op.block.GetAdditionalDatanode;
import io.acaciafs.namespace.op.block.UpdateBlockForPipeline;
import io.acaciafs.namespace.op.block.UpdatePipeline;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetAdditionalDatanodeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetAdditionalDatanodeResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UpdateBlockForPipelineRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UpdateBlockForPipelineResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UpdatePipelineRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UpdatePipelineResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;

/** The calls of a writer whose pipeline broke, or that begins to append to a block. */
public final class PipelineCalls {
  private final Answers answers;
  private final BlockNames names;
  private final BlockTokens tokens;

  public PipelineCalls(Answers answers, BlockNames names, BlockTokens tokens) {
    this.answers = answers;
    this.names = names;
    this.tokens = tokens;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod(
            "updateBlockForPipeline",
            UpdateBlockForPipelineRequestProto.class,
            this::updateBlockForPipeline)
        .asyncMethod("updatePipeline", UpdatePipelineRequestProto.class, this::updatePipeline)
        .asyncMethod(
            "getAdditionalDatanode",
            GetAdditionalDatanodeRequestProto.class,
            this::getAdditionalDatanode);
  }

  private CompletableFuture<UpdateBlockForPipelineResponseProto> updateBlockForPipeline(
      RpcCall call, UpdateBlockForPipelineRequestProto request) throws IOException {
    return answers.of(
        call,
        new UpdateBlockForPipeline(names.local(request.getBlock()), request.getClientName()),
        block ->
            UpdateBlockForPipelineResponseProto.newBuilder()
                .setBlock(SignedBlocks.message(tokens, call, block, AccessMode.WRITE))
                .build());
  }

  private CompletableFuture<UpdatePipelineResponseProto> updatePipeline(
      RpcCall call, UpdatePipelineRequestProto request) throws IOException {
    List<DatanodeID> nodes =
        request.getNewNodesList().stream().map(PBHelperClient::convert).toList();
    return answers.done(
        call,
        new UpdatePipeline(
            request.getClientName(),
            names.local(request.getOldBlock()),
            names.local(request.getNewBlock()),
            nodes,
            request.getStorageIDsList()),
        UpdatePipelineResponseProto.getDefaultInstance());
  }

  private CompletableFuture<GetAdditionalDatanodeResponseProto> getAdditionalDatanode(
      RpcCall call, GetAdditionalDatanodeRequestProto request) throws IOException {
    return answers.of(
        call,
        new GetAdditionalDatanode(
            request.getSrc(),
            request.getFileId(),
            request.getClientName(),
            names.local(request.getBlk()),
            new GetAdditionalDatanode.Pipeline(
                nodes(request.getExistingsList()), request.getExistingStorageUuidsList()),
            nodes(request.getExcludesList()),
            request.getNumAdditionalNodes()),
        block ->
            GetAdditionalDatanodeResponseProto.newBuilder()
                // the writer copies what is there of the block to the further DataNode
                .setBlock(SignedBlocks.message(tokens, call, block, AccessMode.COPY))
                .build());
  }

  private static List<DatanodeInfo> nodes(List<DatanodeInfoProto> nodes) {
    return nodes.stream().<DatanodeInfo>map(PBHelperClient::convert).toList();
  }
}
