package io.acaciafs.namenode.encode;

import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.FsPermissionProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto.FileType;
import org.jspecify.annotations.Nullable;

/**
 * Writes what {@link StatusMessages} would make messages of, byte for byte. For one reply: it
 * remembers the names of the last owner and group. Used by one thread.
 */
final class StatusWriter {
  private final WireWriter out;
  private final LocationWriter locations;
  private @Nullable String lastOwner;
  private byte[] lastOwnerBytes = {};
  private @Nullable String lastGroup;
  private byte[] lastGroupBytes = {};

  StatusWriter(WireWriter out) {
    this.out = out;
    this.locations = new LocationWriter(out);
  }

  /**
   * @param field of the message that the status belongs to
   * @param blocks where a file's data is; null when the call does not ask for it
   */
  void write(int field, InodeStatus status, @Nullable LocatedBlocks blocks) {
    int end = out.size();
    writeContent(status, blocks);
    out.message(field, end);
  }

  /** The same without its length. */
  void writeContent(InodeStatus status, @Nullable LocatedBlocks blocks) {
    Inode inode = status.inode();
    Inode.Attributes attributes = inode.attributes();
    out.number(
        HdfsFileStatusProto.FLAGS_FIELD_NUMBER,
        attributes.features().acl().isEmpty() ? 0 : HdfsFileStatusProto.Flags.HAS_ACL_VALUE);
    out.number(
        HdfsFileStatusProto.STORAGEPOLICY_FIELD_NUMBER,
        Integer.toUnsignedLong(status.storagePolicyId()));
    out.number(HdfsFileStatusProto.CHILDRENNUM_FIELD_NUMBER, status.children());
    out.number(HdfsFileStatusProto.FILEID_FIELD_NUMBER, inode.id());
    FileType type = FileType.IS_DIR;
    long lengthBytes = 0;
    if (inode instanceof FileInode file) {
      type = FileType.IS_FILE;
      lengthBytes = file.lengthBytes();
      writeFile(file, blocks);
    } else if (inode instanceof SymlinkInode link) {
      type = FileType.IS_SYMLINK;
      out.text(HdfsFileStatusProto.SYMLINK_FIELD_NUMBER, link.target());
    }
    out.number(HdfsFileStatusProto.ACCESS_TIME_FIELD_NUMBER, attributes.accessTimeMs());
    out.number(HdfsFileStatusProto.MODIFICATION_TIME_FIELD_NUMBER, status.modificationTimeMs());
    out.bytes(HdfsFileStatusProto.GROUP_FIELD_NUMBER, groupBytes(attributes.group()));
    out.bytes(HdfsFileStatusProto.OWNER_FIELD_NUMBER, ownerBytes(attributes.owner()));
    writePermission(attributes.mode());
    out.number(HdfsFileStatusProto.LENGTH_FIELD_NUMBER, lengthBytes);
    out.bytes(HdfsFileStatusProto.PATH_FIELD_NUMBER, status.localName());
    out.number(HdfsFileStatusProto.FILETYPE_FIELD_NUMBER, type.getNumber());
  }

  private void writeFile(FileInode file, @Nullable LocatedBlocks blocks) {
    if (blocks != null) {
      locations.write(HdfsFileStatusProto.LOCATIONS_FIELD_NUMBER, blocks);
    }
    out.number(HdfsFileStatusProto.BLOCKSIZE_FIELD_NUMBER, file.preferredBlockSizeBytes());
    out.number(
        HdfsFileStatusProto.BLOCK_REPLICATION_FIELD_NUMBER,
        Integer.toUnsignedLong(file.replication()));
  }

  private void writePermission(short mode) {
    int end = out.size();
    out.number(FsPermissionProto.PERM_FIELD_NUMBER, Integer.toUnsignedLong(mode));
    out.message(HdfsFileStatusProto.PERMISSION_FIELD_NUMBER, end);
  }

  /** Names come from the dictionary, so the same one is mostly the same object. */
  @SuppressWarnings("StringEquality")
  private byte[] ownerBytes(String owner) {
    if (owner != lastOwner) {
      lastOwner = owner;
      lastOwnerBytes = owner.getBytes(StandardCharsets.UTF_8);
    }
    return lastOwnerBytes;
  }

  @SuppressWarnings("StringEquality")
  private byte[] groupBytes(String group) {
    if (group != lastGroup) {
      lastGroup = group;
      lastGroupBytes = group.getBytes(StandardCharsets.UTF_8);
    }
    return lastGroupBytes;
  }
}
