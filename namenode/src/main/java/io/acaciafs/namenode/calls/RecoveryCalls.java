package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.encode.BlockNames;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namespace.op.block.CommitBlockSynchronization;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.CommitBlockSynchronizationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.CommitBlockSynchronizationResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;

/** What DataNodes say of blocks that they have recovered. */
public final class RecoveryCalls {
  private final Answers answers;
  private final BlockNames names;

  public RecoveryCalls(Answers answers, BlockNames names) {
    this.answers = answers;
    this.names = names;
  }

  void register(RpcProtocol.Builder protocol) {
    protocol.asyncMethod(
        "commitBlockSynchronization",
        CommitBlockSynchronizationRequestProto.class,
        this::commitBlockSynchronization);
  }

  private CompletableFuture<CommitBlockSynchronizationResponseProto> commitBlockSynchronization(
      RpcCall call, CommitBlockSynchronizationRequestProto request) throws IOException {
    List<DatanodeID> nodes =
        request.getNewTaragetsList().stream().map(PBHelperClient::convert).toList();
    return answers.done(
        call,
        new CommitBlockSynchronization(
            names.local(request.getBlock()),
            request.getNewGenStamp(),
            request.getNewLength(),
            request.getCloseFile(),
            request.getDeleteBlock(),
            nodes,
            request.getNewTargetStoragesList()),
        CommitBlockSynchronizationResponseProto.getDefaultInstance());
  }
}
