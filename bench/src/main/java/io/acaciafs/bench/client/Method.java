package io.acaciafs.bench.client;

import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.FsPermissionProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CompleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateFlagProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.security.proto.SecurityProtos.GetDelegationTokenRequestProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;

/**
 * The calls of ClientProtocol that a benchmark makes. In all of them the path is field 1 (of a
 * delegation token: the renewer), so a request is the path and then bytes that are always the same.
 */
public enum Method {
  GET_FILE_INFO("getFileInfo", Expected.SOMETHING),
  GET_BLOCK_LOCATIONS("getBlockLocations", Expected.SOMETHING),
  GET_LISTING("getListing", Expected.SOMETHING),
  CREATE("create", Expected.SOMETHING),
  ADD_BLOCK("addBlock", Expected.SOMETHING),
  COMPLETE("complete", Expected.ANYTHING),
  MKDIRS("mkdirs", Expected.TRUE),
  RENAME("rename", Expected.TRUE),
  DELETE("delete", Expected.TRUE),
  GET_DELEGATION_TOKEN("getDelegationToken", Expected.SOMETHING);

  /** What the reply to a call that did its work looks like. */
  enum Expected {
    ANYTHING,
    /** Not an empty message, which stands for null. */
    SOMETHING,
    /** A message whose only field is true. */
    TRUE
  }

  /** As much of a file's beginning as a client asks for when it opens it: ten blocks. */
  private static final long OPEN_LENGTH_BYTES = 10L * 128 * 1024 * 1024;

  private static final short REPLICATION = 3;
  private static final long BLOCK_SIZE_BYTES = 128L * 1024 * 1024;

  private final String wireName;
  private final Expected expected;

  Method(String wireName, Expected expected) {
    this.wireName = wireName;
    this.expected = expected;
  }

  String wireName() {
    return wireName;
  }

  Expected expected() {
    return expected;
  }

  /** The fields of a request that come after the path, or after both paths. */
  byte[] tail(String clientName) {
    return partial(clientName).toByteArray();
  }

  /** Without the path, though it is required: the caller puts it before. */
  private MessageLite partial(String clientName) {
    return switch (this) {
      case GET_FILE_INFO -> GetFileInfoRequestProto.newBuilder().buildPartial();
      case GET_BLOCK_LOCATIONS ->
          GetBlockLocationsRequestProto.newBuilder()
              .setOffset(0)
              .setLength(OPEN_LENGTH_BYTES)
              .buildPartial();
      case GET_LISTING ->
          GetListingRequestProto.newBuilder()
              .setStartAfter(ByteString.EMPTY)
              .setNeedLocation(false)
              .buildPartial();
      case CREATE ->
          CreateRequestProto.newBuilder()
              .setMasked(mode(FsPermission.getFileDefault()))
              .setClientName(clientName)
              .setCreateFlag(CreateFlagProto.CREATE_VALUE)
              .setCreateParent(false)
              .setReplication(REPLICATION)
              .setBlockSize(BLOCK_SIZE_BYTES)
              .buildPartial();
      case ADD_BLOCK -> AddBlockRequestProto.newBuilder().setClientName(clientName).buildPartial();
      case COMPLETE -> CompleteRequestProto.newBuilder().setClientName(clientName).buildPartial();
      case MKDIRS ->
          MkdirsRequestProto.newBuilder()
              .setMasked(mode(FsPermission.getDirDefault()))
              .setCreateParent(true)
              .buildPartial();
      case RENAME -> RenameRequestProto.newBuilder().buildPartial();
      case DELETE -> DeleteRequestProto.newBuilder().setRecursive(true).buildPartial();
      case GET_DELEGATION_TOKEN -> GetDelegationTokenRequestProto.newBuilder().buildPartial();
    };
  }

  private static FsPermissionProto mode(FsPermission permission) {
    return FsPermissionProto.newBuilder().setPerm(permission.toShort()).build();
  }
}
