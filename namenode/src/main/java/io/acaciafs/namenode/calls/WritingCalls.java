package io.acaciafs.namenode.calls;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.namenode.encode.BlockNames;
import io.acaciafs.namenode.encode.StatusMessages;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.SignedBlocks;
import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.op.block.AbandonBlock;
import io.acaciafs.namespace.op.block.AddBlock;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.op.file.CreateFile;
import io.acaciafs.namespace.op.file.Fsync;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AbandonBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AbandonBlockResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CompleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CompleteResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.FsyncRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.FsyncResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenewLeaseRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenewLeaseResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;

/** The calls of a client that writes a file: from create to complete. */
public final class WritingCalls {
  /**
   * How long complete waits for a DataNode's report before it sends the client away: below the 400
   * ms after which the client would come back by itself.
   */
  private static final Duration REPORT_WAIT = Duration.ofMillis(350);

  private final Answers answers;
  private final BlockManager blocks;
  private final BlockNames names;
  private final Executor continuations;

  /**
   * @param continuations runs second attempts, which come about on threads that must not wait
   */
  public WritingCalls(
      Answers answers, BlockManager blocks, BlockNames names, Executor continuations) {
    this.answers = answers;
    this.blocks = blocks;
    this.names = names;
    this.continuations = continuations;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod("create", CreateRequestProto.class, this::create)
        .asyncMethod("addBlock", AddBlockRequestProto.class, this::addBlock)
        .asyncMethod("abandonBlock", AbandonBlockRequestProto.class, this::abandonBlock)
        .asyncMethod("complete", CompleteRequestProto.class, this::complete)
        .asyncMethod("fsync", FsyncRequestProto.class, this::fsync)
        .method("renewLease", RenewLeaseRequestProto.class, this::renewLease);
  }

  private CompletableFuture<CreateResponseProto> create(RpcCall call, CreateRequestProto request) {
    return answers.of(
        call,
        new CreateFile(
            request.getSrc(),
            Answers.createMode(
                request.getMasked(), request.hasUnmasked() ? request.getUnmasked() : null),
            request.getClientName(),
            PBHelperClient.convertCreateFlag(request.getCreateFlag()).get(),
            request.getCreateParent(),
            new CreateFile.BlockOptions(
                (short) request.getReplication(),
                request.getBlockSize(),
                request.getStoragePolicy(),
                request.getEcPolicyName())),
        status -> CreateResponseProto.newBuilder().setFs(StatusMessages.of(status)).build());
  }

  private CompletableFuture<AddBlockResponseProto> addBlock(
      RpcCall call, AddBlockRequestProto request) throws IOException {
    Block previous = request.hasPrevious() ? names.local(request.getPrevious()) : null;
    AddBlock operation =
        new AddBlock(
            request.getSrc(),
            request.getFileId(),
            request.getClientName(),
            previous,
            new FileBlocks.Wishes(
                request.getExcludeNodesList().stream().map(PBHelperClient::convert).toList(),
                request.getFavoredNodesList(),
                PBHelperClient.convertAddBlockFlags(request.getFlagsList())));
    if (request.getFavoredNodesCount() == 0) {
      return addBlock(call, operation);
    }
    // to find them by name may take a while
    return CompletableFuture.supplyAsync(() -> addBlock(call, operation), continuations)
        .thenCompose(reply -> reply);
  }

  private CompletableFuture<AddBlockResponseProto> addBlock(RpcCall call, AddBlock operation) {
    return answers.of(
        call,
        operation,
        block ->
            AddBlockResponseProto.newBuilder()
                .setBlock(SignedBlocks.message(blocks.tokens(), call, block, AccessMode.WRITE))
                .build());
  }

  private CompletableFuture<AbandonBlockResponseProto> abandonBlock(
      RpcCall call, AbandonBlockRequestProto request) {
    return answers.done(
        call,
        new AbandonBlock(
            request.getSrc(),
            request.getFileId(),
            request.getHolder(),
            request.getB().getBlockId()),
        AbandonBlockResponseProto.getDefaultInstance());
  }

  /**
   * Waits, without a thread, for the report of a replica that is on its way: every "not yet" would
   * cost the client 400 ms.
   */
  private CompletableFuture<CompleteResponseProto> complete(
      RpcCall call, CompleteRequestProto request) throws IOException {
    Block last = request.hasLast() ? names.local(request.getLast()) : null;
    CompleteFile operation =
        new CompleteFile(request.getSrc(), request.getFileId(), request.getClientName(), last);
    CompletableFuture<Boolean> completed = complete(call, operation);
    if (last == null) {
      return completed.thenApply(WritingCalls::reply);
    }
    return completed
        .thenCompose(
            done ->
                done
                    ? completed
                    : CompletableFuture.supplyAsync(
                            () -> completeAfterReport(call, operation, last.getBlockId()),
                            continuations)
                        .thenCompose(result -> result))
        .thenApply(WritingCalls::reply);
  }

  private CompletableFuture<Boolean> completeAfterReport(
      RpcCall call, CompleteFile operation, long blockId) {
    // registered before the second look, so that no report falls between the two
    CompletableFuture<Boolean> reported = blocks.awaitReplica(blockId, REPORT_WAIT);
    return complete(call, operation)
        .thenCompose(
            done -> {
              if (done) {
                reported.cancel(false);
                return CompletableFuture.completedFuture(true);
              }
              return reported.thenCompose(
                  came ->
                      came ? complete(call, operation) : CompletableFuture.completedFuture(false));
            });
  }

  private CompletableFuture<Boolean> complete(RpcCall call, CompleteFile operation) {
    return Answers.inHdfsTerms(answers.namespace().submit(answers.callers().of(call), operation));
  }

  private static CompleteResponseProto reply(boolean done) {
    return CompleteResponseProto.newBuilder().setResult(done).build();
  }

  private CompletableFuture<FsyncResponseProto> fsync(RpcCall call, FsyncRequestProto request) {
    return answers.done(
        call,
        new Fsync(
            request.getSrc(),
            request.getFileId(),
            request.getClient(),
            request.getLastBlockLength()),
        FsyncResponseProto.getDefaultInstance());
  }

  private RenewLeaseResponseProto renewLease(RpcCall call, RenewLeaseRequestProto request)
      throws IOException {
    if (request.getNamespacesCount() > 0) {
      throw new IOException(
          "namespaces(" + request.getNamespacesList() + ") should be null or empty");
    }
    answers.namespace().leases().renewIfHeld(request.getClientName());
    return RenewLeaseResponseProto.getDefaultInstance();
  }
}
