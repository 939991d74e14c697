package io.acaciafs.namenode.calls;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.kv.Reader;
import io.acaciafs.namenode.encode.StatusMessages;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.BlockLocations;
import io.acaciafs.namenode.reply.Found;
import io.acaciafs.namespace.op.directory.GetBatchedListing;
import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.op.lease.ListOpenFiles;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBatchedListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBatchedListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ListOpenFilesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ListOpenFilesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BatchedDirectoryListingProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BatchedListingKeyProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.RemoteExceptionProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** Calls that list more than one directory. */
public final class ListingCalls {
  private final Answers answers;
  private final BlockLocations locations;
  private final BlockManager blocks;
  private final int maxPaths;

  /**
   * @param maxPaths dfs.batched.ls.limit
   */
  public ListingCalls(
      Answers answers, BlockLocations locations, BlockManager blocks, int maxPaths) {
    this.answers = answers;
    this.locations = locations;
    this.blocks = blocks;
    this.maxPaths = maxPaths;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod("listOpenFiles", ListOpenFilesRequestProto.class, this::listOpenFiles)
        .asyncMethod(
            "getBatchedListing", GetBatchedListingRequestProto.class, this::getBatchedListing);
  }

  private CompletableFuture<ListOpenFilesResponseProto> listOpenFiles(
      RpcCall call, ListOpenFilesRequestProto request) throws IOException {
    EnumSet<OpenFilesType> types = PBHelperClient.convertOpenFileTypes(request.getTypesList());
    if (types.isEmpty()) {
      answers.callers().checkSuperuser(call);
      throw new IllegalArgumentException("Unknown OpenFileType: " + types);
    }
    boolean all = types.contains(OpenFilesType.ALL_OPEN_FILES);
    return answers.of(
        call,
        new ListOpenFiles(
            request.getId(), request.getPath(), file -> all || keepsNodeFromLeaving(file)),
        page -> {
          ListOpenFilesResponseProto.Builder reply =
              ListOpenFilesResponseProto.newBuilder()
                  .setHasMore(page.hasMore())
                  .addAllTypes(request.getTypesList());
          page.entries().forEach(entry -> reply.addEntries(PBHelperClient.convert(entry)));
          return reply.build();
        });
  }

  private boolean keepsNodeFromLeaving(FileInode file) {
    return file.blocks().stream().anyMatch(block -> blocks.keepsNodeFromLeaving(block.id()));
  }

  private CompletableFuture<GetBatchedListingResponseProto> getBatchedListing(
      RpcCall call, GetBatchedListingRequestProto request) throws IOException {
    List<String> paths = request.getPathsList();
    if (paths.size() > maxPaths) {
      throw new IllegalArgumentException(
          "Too many source paths (" + paths.size() + " > " + maxPaths + ")");
    }
    BatchedListingKeyProto place = place(request, checksum(paths));
    // an empty name means that the path before is told whole
    int first = place.getPathIndex();
    if (!request.getStartAfter().isEmpty() && place.getStartAfter().isEmpty()) {
      first++;
    }
    return answers.look(
        call,
        new GetBatchedListing(
            paths, first, place.getStartAfter().toByteArray(), request.getNeedLocation()),
        found -> reply(call, request, found));
  }

  private static BatchedListingKeyProto place(
      GetBatchedListingRequestProto request, ByteString checksum) throws IOException {
    if (request.getStartAfter().isEmpty()) {
      return BatchedListingKeyProto.newBuilder()
          .setChecksum(checksum)
          .setPathIndex(0)
          .setStartAfter(ByteString.EMPTY)
          .build();
    }
    BatchedListingKeyProto place = BatchedListingKeyProto.parseFrom(request.getStartAfter());
    if (!place.getChecksum().equals(checksum) || place.getPathIndex() < 0) {
      throw new IllegalArgumentException("The listing that is to go on was of other paths");
    }
    return place;
  }

  private static ByteString checksum(List<String> paths) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      paths.forEach(path -> digest.update(path.getBytes(StandardCharsets.UTF_8)));
      return ByteString.copyFrom(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has MD5", e);
    }
  }

  private GetBatchedListingResponseProto reply(
      RpcCall call, GetBatchedListingRequestProto request, Found<GetBatchedListing.Batch> found) {
    GetBatchedListing.Batch batch = found.required();
    GetBatchedListingResponseProto.Builder reply =
        GetBatchedListingResponseProto.newBuilder()
            .setHasMore(batch.nextPath() != null)
            .setStartAfter(ByteString.EMPTY);
    if (batch.nextPath() != null) {
      reply.setStartAfter(
          BatchedListingKeyProto.newBuilder()
              .setChecksum(checksum(request.getPathsList()))
              .setPathIndex(batch.nextPath())
              .setStartAfter(ByteString.copyFrom(batch.nextStartAfter()))
              .build()
              .toByteString());
    }
    for (GetBatchedListing.Listing listing : batch.listings()) {
      reply.addListings(message(call, found.reader(), listing, request.getNeedLocation()));
    }
    return reply.build();
  }

  private BatchedDirectoryListingProto message(
      RpcCall call, Reader reader, GetBatchedListing.Listing listing, boolean needLocation) {
    BatchedDirectoryListingProto.Builder message =
        BatchedDirectoryListingProto.newBuilder().setParentIdx(listing.path());
    if (listing.refusal() != null) {
      RemoteExceptionProto.Builder refusal =
          RemoteExceptionProto.newBuilder()
              .setClassName(listing.refusal().getClass().getCanonicalName());
      if (listing.refusal().getMessage() != null) {
        refusal.setMessage(listing.refusal().getMessage());
      }
      return message.setException(refusal).build();
    }
    GetListing.Page page = Objects.requireNonNull(listing.page(), "it was not refused");
    for (InodeStatus entry : page.entries()) {
      message.addPartialListing(
          StatusMessages.of(
              entry, needLocation ? locations.of(call, reader, entry.inode()) : null));
    }
    return message.build();
  }
}
