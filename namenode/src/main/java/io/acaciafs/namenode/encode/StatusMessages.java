package io.acaciafs.namenode.encode;

import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.tree.InodeStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.FsPermissionProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto.FileType;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** The status of an inode as HDFS's message. */
public final class StatusMessages {
  private StatusMessages() {}

  public static HdfsFileStatusProto of(InodeStatus status) {
    return of(status, null);
  }

  /**
   * @param blocks where a file's data is; null when the call does not ask for it
   */
  public static HdfsFileStatusProto of(InodeStatus status, @Nullable LocatedBlocks blocks) {
    Inode inode = status.inode();
    Inode.Attributes attributes = inode.attributes();
    HdfsFileStatusProto.Builder message =
        HdfsFileStatusProto.newBuilder()
            .setPath(ByteString.copyFrom(status.localName()))
            .setPermission(FsPermissionProto.newBuilder().setPerm(attributes.mode()))
            .setOwner(attributes.owner())
            .setGroup(attributes.group())
            .setModificationTime(status.modificationTimeMs())
            .setAccessTime(attributes.accessTimeMs())
            .setFileId(inode.id())
            .setChildrenNum(status.children())
            .setStoragePolicy(status.storagePolicyId())
            .setFlags(
                attributes.features().acl().isEmpty()
                    ? 0
                    : HdfsFileStatusProto.Flags.HAS_ACL_VALUE);
    if (inode instanceof FileInode file) {
      message
          .setFileType(FileType.IS_FILE)
          .setLength(file.lengthBytes())
          .setBlockReplication(file.replication())
          .setBlocksize(file.preferredBlockSizeBytes());
      if (blocks != null) {
        message.setLocations(PBHelperClient.convert(blocks));
      }
    } else if (inode instanceof SymlinkInode link) {
      message
          .setFileType(FileType.IS_SYMLINK)
          .setLength(0)
          .setSymlink(ByteString.copyFromUtf8(link.target()));
    } else {
      message.setFileType(FileType.IS_DIR).setLength(0);
    }
    return message.build();
  }
}
