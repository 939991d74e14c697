package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.encode.ReadReplies;
import io.acaciafs.namenode.encode.StatusMessages;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.BlockLocations;
import io.acaciafs.namenode.reply.Found;
import io.acaciafs.namenode.reply.NodeBasis;
import io.acaciafs.namespace.op.attribute.CheckAccess;
import io.acaciafs.namespace.op.attribute.SetOwner;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.attribute.SetReplication;
import io.acaciafs.namespace.op.attribute.SetTimes;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.op.directory.GetLocatedFileInfo;
import io.acaciafs.namespace.op.directory.Mkdirs;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.op.file.GetFile;
import io.acaciafs.namespace.op.file.IsFileClosed;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.rpc.protocol.CacheableReply;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CheckAccessRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CheckAccessResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLocatedFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLocatedFileInfoResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetPreferredBlockSizeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetPreferredBlockSizeResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.IsFileClosedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.IsFileClosedResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.Rename2RequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.Rename2ResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetOwnerRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetOwnerResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetPermissionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetPermissionResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetTimesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetTimesResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** The calls that look at the tree or change its shape and attributes. */
public final class NamespaceCalls {
  private final Answers answers;
  private final BlockLocations locations;
  private final Executor longOperations;

  /**
   * @param longOperations runs what may walk a whole subtree
   */
  public NamespaceCalls(Answers answers, BlockLocations locations, Executor longOperations) {
    this.answers = answers;
    this.locations = locations;
    this.longOperations = longOperations;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .cacheableMethod("getFileInfo", GetFileInfoRequestProto.class, false, this::getFileInfo)
        .cacheableMethod(
            "getLocatedFileInfo",
            GetLocatedFileInfoRequestProto.class,
            true,
            this::getLocatedFileInfo)
        .cacheableMethod("getListing", GetListingRequestProto.class, true, this::getListing)
        .asyncMethod("isFileClosed", IsFileClosedRequestProto.class, this::isFileClosed)
        .asyncMethod(
            "getPreferredBlockSize",
            GetPreferredBlockSizeRequestProto.class,
            this::getPreferredBlockSize)
        .asyncMethod("checkAccess", CheckAccessRequestProto.class, this::checkAccess)
        .asyncMethod("mkdirs", MkdirsRequestProto.class, this::mkdirs)
        .asyncMethod("rename", RenameRequestProto.class, this::rename)
        .asyncMethod("rename2", Rename2RequestProto.class, this::rename2)
        .asyncMethod("delete", DeleteRequestProto.class, this::delete)
        .asyncMethod("setPermission", SetPermissionRequestProto.class, this::setPermission)
        .asyncMethod("setOwner", SetOwnerRequestProto.class, this::setOwner)
        .asyncMethod("setTimes", SetTimesRequestProto.class, this::setTimes)
        .asyncMethod("setReplication", SetReplicationRequestProto.class, this::setReplication);
  }

  private CompletableFuture<CacheableReply> getFileInfo(
      RpcCall call, GetFileInfoRequestProto request) {
    return answers.look(
        call,
        new GetFileInfo(request.getSrc()),
        found -> found.reply(ReadReplies.fileInfo(found.value())));
  }

  private CompletableFuture<CacheableReply> getLocatedFileInfo(
      RpcCall call, GetLocatedFileInfoRequestProto request) {
    boolean hasTokens = request.getNeedBlockToken();
    return answers.look(
        call,
        new GetLocatedFileInfo(request.getSrc(), hasTokens),
        found -> {
          GetLocatedFileInfoResponseProto.Builder reply =
              GetLocatedFileInfoResponseProto.newBuilder();
          if (found.value() == null) {
            return found.reply(reply.build());
          }
          Inode inode = found.value().inode();
          NodeBasis nodes = hasTokens ? locations.basisOfSigned(call) : locations.basis(call);
          LocatedBlocks located = locations.of(call, found.reader(), inode);
          if (hasTokens && located != null) {
            locations.sign(call, located);
          }
          reply.setFs(StatusMessages.of(found.value(), located));
          return located(found, nodes, reply.build(), List.of(found.value()));
        });
  }

  private CompletableFuture<CacheableReply> getListing(
      RpcCall call, GetListingRequestProto request) {
    boolean needLocation = request.getNeedLocation();
    return answers.look(
        call,
        new GetListing(request.getSrc(), request.getStartAfter().toByteArray(), needLocation),
        found -> {
          GetListing.Page page = found.value();
          CacheableReply reply =
              needLocation && page != null
                  ? located(
                      found,
                      locations.basis(call), // as in HDFS, a listing has no tokens
                      ReadReplies.listing(
                          page, entry -> locations.of(call, found.reader(), entry.inode())),
                      page.entries())
                  : found.reply(ReadReplies.listing(page, null));
          return page != null && page.hasMore()
              ? reply.withLikelyNext(nextPage(request, page))
              : reply;
        });
  }

  private static GetListingRequestProto nextPage(
      GetListingRequestProto request, GetListing.Page page) {
    InodeStatus last = page.entries().get(page.entries().size() - 1);
    return request.toBuilder().setStartAfter(ByteString.copyFrom(last.localName())).build();
  }

  /** How far an open file has got is not among what is asked again. */
  private CacheableReply located(
      Found<?> found, NodeBasis nodes, Message message, List<InodeStatus> told) {
    boolean isSettled =
        told.stream()
            .noneMatch(
                status -> status.inode() instanceof FileInode file && file.isUnderConstruction());
    return isSettled ? nodes.limit(found.reply(message)) : CacheableReply.uncached(message);
  }

  private CompletableFuture<IsFileClosedResponseProto> isFileClosed(
      RpcCall call, IsFileClosedRequestProto request) {
    return answers.of(
        call,
        new IsFileClosed(request.getSrc()),
        isClosed -> IsFileClosedResponseProto.newBuilder().setResult(isClosed).build());
  }

  private CompletableFuture<GetPreferredBlockSizeResponseProto> getPreferredBlockSize(
      RpcCall call, GetPreferredBlockSizeRequestProto request) {
    return answers.of(
        call,
        new GetFile(request.getFilename(), FsAction.NONE, PathUse.READ_LINK),
        (FileInode file) ->
            GetPreferredBlockSizeResponseProto.newBuilder()
                .setBsize(file.preferredBlockSizeBytes())
                .build());
  }

  private CompletableFuture<CheckAccessResponseProto> checkAccess(
      RpcCall call, CheckAccessRequestProto request) {
    return answers.done(
        call,
        new CheckAccess(request.getPath(), PBHelperClient.convert(request.getMode())),
        CheckAccessResponseProto.getDefaultInstance());
  }

  private CompletableFuture<MkdirsResponseProto> mkdirs(RpcCall call, MkdirsRequestProto request) {
    return answers.of(
        call,
        new Mkdirs(
            request.getSrc(),
            Answers.createMode(
                request.getMasked(), request.hasUnmasked() ? request.getUnmasked() : null),
            request.getCreateParent()),
        created -> MkdirsResponseProto.newBuilder().setResult(created).build());
  }

  private CompletableFuture<RenameResponseProto> rename(RpcCall call, RenameRequestProto request) {
    return answers.of(
        call,
        new Rename(request.getSrc(), request.getDst()),
        renamed -> RenameResponseProto.newBuilder().setResult(renamed).build());
  }

  private CompletableFuture<Rename2ResponseProto> rename2(
      RpcCall call, Rename2RequestProto request) {
    EnumSet<Options.Rename> options = EnumSet.noneOf(Options.Rename.class);
    if (request.getOverwriteDest()) {
      options.add(Options.Rename.OVERWRITE);
    }
    if (request.getMoveToTrash()) {
      options.add(Options.Rename.TO_TRASH);
    }
    Supplier<CompletableFuture<Rename2ResponseProto>> rename =
        () ->
            answers.done(
                call,
                new Rename2(request.getSrc(), request.getDst(), options),
                Rename2ResponseProto.getDefaultInstance());
    return request.getMoveToTrash() && needsRightsBelow(call) ? inBackground(rename) : rename.get();
  }

  private CompletableFuture<DeleteResponseProto> delete(RpcCall call, DeleteRequestProto request) {
    Delete operation = new Delete(request.getSrc(), request.getRecursive());
    return needsRightsBelow(call)
        ? inBackground(() -> delete(call, operation))
        : delete(call, operation);
  }

  private CompletableFuture<DeleteResponseProto> delete(RpcCall call, Delete operation) {
    return answers.of(
        call, operation, deleted -> DeleteResponseProto.newBuilder().setResult(deleted).build());
  }

  private CompletableFuture<SetPermissionResponseProto> setPermission(
      RpcCall call, SetPermissionRequestProto request) {
    return answers.done(
        call,
        new SetPermission(request.getSrc(), PBHelperClient.convert(request.getPermission())),
        SetPermissionResponseProto.getDefaultInstance());
  }

  private CompletableFuture<SetOwnerResponseProto> setOwner(
      RpcCall call, SetOwnerRequestProto request) {
    return answers.done(
        call,
        new SetOwner(
            request.getSrc(),
            request.hasUsername() ? request.getUsername() : null,
            request.hasGroupname() ? request.getGroupname() : null),
        SetOwnerResponseProto.getDefaultInstance());
  }

  private CompletableFuture<SetTimesResponseProto> setTimes(
      RpcCall call, SetTimesRequestProto request) {
    return answers.done(
        call,
        new SetTimes(request.getSrc(), request.getMtime(), request.getAtime()),
        SetTimesResponseProto.getDefaultInstance());
  }

  private CompletableFuture<SetReplicationResponseProto> setReplication(
      RpcCall call, SetReplicationRequestProto request) {
    return answers.of(
        call,
        new SetReplication(request.getSrc(), (short) request.getReplication()),
        isFile -> SetReplicationResponseProto.newBuilder().setResult(isFile).build());
  }

  /** The rights of an ordinary user are checked in every directory below the removed one. */
  private boolean needsRightsBelow(RpcCall call) {
    return !answers.callers().of(call).isSuperuser();
  }

  /** Runs what may walk a whole subtree where it holds up no other call. */
  private <M extends Message> CompletableFuture<M> inBackground(
      Supplier<CompletableFuture<M>> operation) {
    try {
      return CompletableFuture.supplyAsync(operation, longOperations).thenCompose(reply -> reply);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new RetriableException("Too many long operations are under way, try again later"));
    }
  }
}
