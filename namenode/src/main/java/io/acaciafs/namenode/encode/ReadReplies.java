package io.acaciafs.namenode.encode;

import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.wire.WireWriter;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DirectoryListingProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * The replies to the calls that readers make most, written by hand. Their one field is given to the
 * reply as a field that it does not know: no code on this side asks for it, and on the wire the two
 * are the same.
 */
public final class ReadReplies {
  private static final int STATUS_BYTES = 192;
  private static final int REPLICAS_BYTES = 1024;

  private ReadReplies() {}

  /**
   * @param status null where there is nothing
   */
  public static GetFileInfoResponseProto fileInfo(@Nullable InodeStatus status) {
    if (status == null) {
      return GetFileInfoResponseProto.getDefaultInstance();
    }
    WireWriter out = new WireWriter(STATUS_BYTES);
    new StatusWriter(out).writeContent(status, null);
    return GetFileInfoResponseProto.newBuilder()
        .setUnknownFields(field(GetFileInfoResponseProto.FS_FIELD_NUMBER, out))
        .build();
  }

  /**
   * @param page null where there is nothing
   * @param locations of an entry; null: the call does not ask for them
   */
  public static GetListingResponseProto listing(
      GetListing.@Nullable Page page, @Nullable Function<InodeStatus, LocatedBlocks> locations) {
    if (page == null) {
      return GetListingResponseProto.getDefaultInstance();
    }
    List<InodeStatus> entries = page.entries();
    WireWriter out = new WireWriter(STATUS_BYTES * (entries.size() + 1));
    StatusWriter writer = new StatusWriter(out);
    // clients only ask whether it is 0
    out.number(DirectoryListingProto.REMAININGENTRIES_FIELD_NUMBER, page.hasMore() ? 1 : 0);
    for (int i = entries.size() - 1; i >= 0; i--) {
      InodeStatus entry = entries.get(i);
      writer.write(
          DirectoryListingProto.PARTIALLISTING_FIELD_NUMBER,
          entry,
          locations == null ? null : locations.apply(entry));
    }
    return GetListingResponseProto.newBuilder()
        .setUnknownFields(field(GetListingResponseProto.DIRLIST_FIELD_NUMBER, out))
        .build();
  }

  public static GetBlockLocationsResponseProto locations(LocatedBlocks located) {
    WireWriter out = new WireWriter(REPLICAS_BYTES);
    new LocationWriter(out).writeContent(located);
    return GetBlockLocationsResponseProto.newBuilder()
        .setUnknownFields(field(GetBlockLocationsResponseProto.LOCATIONS_FIELD_NUMBER, out))
        .build();
  }

  private static UnknownFieldSet field(int number, WireWriter written) {
    byte[] buffer = written.buffer();
    ByteString content =
        UnsafeByteOperations.unsafeWrap(buffer, buffer.length - written.size(), written.size());
    return UnknownFieldSet.newBuilder()
        .addField(number, UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build())
        .build();
  }
}
