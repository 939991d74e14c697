package io.acaciafs.namenode.calls;

import io.acaciafs.blocks.token.BlockTokens;
import io.acaciafs.namenode.encode.BlockNames;
import io.acaciafs.namenode.encode.StatusMessages;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.SignedBlocks;
import io.acaciafs.namespace.op.file.AppendFile;
import io.acaciafs.namespace.op.file.ConcatFiles;
import io.acaciafs.namespace.op.file.TruncateFile;
import io.acaciafs.namespace.op.lease.RecoverLease;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RecoverLeaseRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RecoverLeaseResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;

/** The calls that change a file that was written before. */
public final class AppendingCalls {
  private final Answers answers;
  private final BlockNames names;
  private final BlockTokens tokens;

  public AppendingCalls(Answers answers, BlockNames names, BlockTokens tokens) {
    this.answers = answers;
    this.names = names;
    this.tokens = tokens;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod("append", AppendRequestProto.class, this::append)
        .asyncMethod("truncate", TruncateRequestProto.class, this::truncate)
        .asyncMethod("concat", ConcatRequestProto.class, this::concat)
        .asyncMethod("recoverLease", RecoverLeaseRequestProto.class, this::recoverLease);
  }

  private CompletableFuture<AppendResponseProto> append(RpcCall call, AppendRequestProto request) {
    boolean newBlock =
        request.hasFlag()
            && PBHelperClient.convertCreateFlag(request.getFlag())
                .get()
                .contains(CreateFlag.NEW_BLOCK);
    return answers.of(
        call,
        new AppendFile(request.getSrc(), request.getClientName(), newBlock),
        appended -> {
          AppendResponseProto.Builder reply =
              AppendResponseProto.newBuilder().setStat(StatusMessages.of(appended.status()));
          if (appended.reopened() != null) {
            reply.setBlock(
                SignedBlocks.message(tokens, call, appended.reopened(), AccessMode.WRITE));
          } else if (appended.previous() != null) {
            reply.setBlock(
                PBHelperClient.convertLocatedBlock(
                    new LocatedBlock(
                        new ExtendedBlock(names.blockPoolId(), appended.previous().toBlock()),
                        DatanodeInfo.EMPTY_ARRAY)));
          }
          return reply.build();
        });
  }

  private CompletableFuture<TruncateResponseProto> truncate(
      RpcCall call, TruncateRequestProto request) {
    return answers.of(
        call,
        new TruncateFile(request.getSrc(), request.getNewLength(), request.getClientName()),
        done -> TruncateResponseProto.newBuilder().setResult(done).build());
  }

  private CompletableFuture<ConcatResponseProto> concat(RpcCall call, ConcatRequestProto request) {
    return answers.done(
        call,
        new ConcatFiles(request.getTrg(), request.getSrcsList()),
        ConcatResponseProto.getDefaultInstance());
  }

  private CompletableFuture<RecoverLeaseResponseProto> recoverLease(
      RpcCall call, RecoverLeaseRequestProto request) {
    return answers.of(
        call,
        new RecoverLease(request.getSrc(), request.getClientName()),
        closed -> RecoverLeaseResponseProto.newBuilder().setResult(closed).build());
  }
}
