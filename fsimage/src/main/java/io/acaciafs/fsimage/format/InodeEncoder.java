package io.acaciafs.fsimage.format;

import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeFeatures;
import io.acaciafs.namespace.record.Quota;
import io.acaciafs.namespace.record.SymlinkInode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.AclFeatureProto;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.FileUnderConstructionFeature;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INode;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.QuotaByStorageTypeEntryProto;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.QuotaByStorageTypeFeatureProto;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.XAttrCompactProto;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.XAttrFeatureProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;

/**
 * Writes inodes as an image has them. For one thread, as its strings. Source of the bits: HDFS's
 * PermissionStatusFormat, AclEntryStatusFormat and XAttrFormat.
 */
public final class InodeEncoder {
  private final ImageStrings strings;

  public InodeEncoder(ImageStrings strings) {
    this.strings = strings;
  }

  /**
   * @param name empty for the root
   * @param modificationTimeMs of a directory what its counters say is newer than its inode
   */
  public INode encode(Inode inode, byte[] name, long modificationTimeMs) throws IOException {
    INode.Builder row =
        INode.newBuilder().setId(inode.id()).setName(UnsafeByteOperations.unsafeWrap(name));
    if (inode instanceof FileInode file) {
      check(file, name);
      row.setType(INode.Type.FILE).setFile(encode(file));
    } else if (inode instanceof DirectoryInode directory) {
      row.setType(INode.Type.DIRECTORY).setDirectory(encode(directory, modificationTimeMs));
    } else if (inode instanceof SymlinkInode link) {
      row.setType(INode.Type.SYMLINK)
          .setSymlink(
              INodeSection.INodeSymlink.newBuilder()
                  .setPermission(permission(link.attributes()))
                  .setTarget(ByteString.copyFromUtf8(link.target()))
                  .setModificationTime(link.attributes().modificationTimeMs())
                  .setAccessTime(link.attributes().accessTimeMs()));
    }
    return row.build();
  }

  /** With such a file Hadoop's NameNode would not read the image at all. */
  private static void check(FileInode file, byte[] name) throws IOException {
    long blockSize = file.preferredBlockSizeBytes();
    boolean isSizeGood = blockSize >= 0 && blockSize <= FileInode.MAX_BLOCK_SIZE_BYTES;
    int replication = file.replication();
    if (!isSizeGood || replication < 0 || replication > FileInode.MAX_REPLICATION) {
      throw new IOException(
          String.format(
              "Hadoop's NameNode would refuse the image: file \"%s\" (inode %d) has a block size of"
                  + " %d bytes, of at most %d, and %d replicas, of at most %d. Copy it, which gives"
                  + " it others, delete it, and export again.",
              new String(name, StandardCharsets.UTF_8),
              file.id(),
              blockSize,
              FileInode.MAX_BLOCK_SIZE_BYTES,
              replication,
              FileInode.MAX_REPLICATION));
    }
  }

  private INodeSection.INodeFile encode(FileInode file) throws IOException {
    Inode.Attributes attributes = file.attributes();
    INodeSection.INodeFile.Builder row =
        INodeSection.INodeFile.newBuilder()
            .setReplication(file.replication())
            .setModificationTime(attributes.modificationTimeMs())
            .setAccessTime(attributes.accessTimeMs())
            .setPreferredBlockSize(file.preferredBlockSizeBytes())
            .setPermission(permission(attributes));
    for (FileBlock block : file.blocks()) {
      row.addBlocks(
          BlockProto.newBuilder()
              .setBlockId(block.id())
              .setGenStamp(block.generationStamp())
              .setNumBytes(block.lengthBytes()));
    }
    if (file.writer() != null) {
      row.setFileUC(
          FileUnderConstructionFeature.newBuilder()
              .setClientName(file.writer().clientName())
              .setClientMachine(file.writer().clientMachine()));
    }
    InodeFeatures features = file.features();
    if (features != InodeFeatures.NONE) {
      row.setStoragePolicyID(features.storagePolicyId());
      if (!features.acl().isEmpty()) {
        row.setAcl(acl(features));
      }
      if (!features.xattrs().isEmpty()) {
        row.setXAttrs(xattrs(features.xattrs()));
      }
    }
    return row.build();
  }

  private INodeSection.INodeDirectory encode(DirectoryInode directory, long modificationTimeMs)
      throws IOException {
    InodeFeatures features = directory.features();
    Quota quota = features.quota();
    INodeSection.INodeDirectory.Builder row =
        INodeSection.INodeDirectory.newBuilder()
            .setModificationTime(modificationTimeMs)
            .setNsQuota(quota.names())
            .setDsQuota(quota.spaceBytes())
            .setPermission(permission(directory.attributes()));
    if (!quota.typeBytes().isEmpty()) {
      row.setTypeQuotas(typeQuotas(quota));
    }
    if (!features.acl().isEmpty()) {
      row.setAcl(acl(features));
    }
    List<XAttr> xattrs = new ArrayList<>(features.xattrs());
    if (features.storagePolicyId() != HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED) {
      xattrs.add(BlockStoragePolicySuite.buildXAttr(features.storagePolicyId()));
    }
    if (!xattrs.isEmpty()) {
      row.setXAttrs(xattrs(xattrs));
    }
    return row.build();
  }

  private static QuotaByStorageTypeFeatureProto.Builder typeQuotas(Quota quota) {
    QuotaByStorageTypeFeatureProto.Builder row = QuotaByStorageTypeFeatureProto.newBuilder();
    for (Map.Entry<StorageType, Long> entry : quota.typeBytes().entrySet()) {
      row.addQuotas(
          QuotaByStorageTypeEntryProto.newBuilder()
              .setStorageType(PBHelperClient.convertStorageType(entry.getKey()))
              .setQuota(entry.getValue()));
    }
    return row;
  }

  private long permission(Inode.Attributes attributes) throws IOException {
    long user = strings.numberOf(attributes.owner());
    long group = strings.numberOf(attributes.group());
    return user << ImageBits.USER_SHIFT
        | group << ImageBits.GROUP_SHIFT
        | attributes.mode() & ImageBits.MODE_MASK;
  }

  private AclFeatureProto.Builder acl(InodeFeatures features) throws IOException {
    AclFeatureProto.Builder row = AclFeatureProto.newBuilder();
    for (AclEntry entry : features.acl().entries()) {
      int scope = entry.getScope() == AclEntryScope.DEFAULT ? 1 : 0;
      row.addEntries(
          strings.numberOf(entry.getName()) << ImageBits.NAME_SHIFT
              | scope << ImageBits.ACL_SCOPE_SHIFT
              | entry.getType().ordinal() << ImageBits.ACL_TYPE_SHIFT
              | entry.getPermission().ordinal());
    }
    return row;
  }

  private XAttrFeatureProto.Builder xattrs(List<XAttr> xattrs) throws IOException {
    XAttrFeatureProto.Builder row = XAttrFeatureProto.newBuilder();
    for (XAttr xattr : xattrs) {
      int space = xattr.getNameSpace().ordinal();
      XAttrCompactProto.Builder entry =
          XAttrCompactProto.newBuilder()
              .setName(
                  (space & ImageBits.XATTR_SPACE_MASK) << ImageBits.XATTR_SPACE_SHIFT
                      | strings.numberOf(xattr.getName()) << ImageBits.NAME_SHIFT
                      | space >> ImageBits.XATTR_SPACE_BITS << ImageBits.XATTR_MORE_SPACE_SHIFT);
      if (xattr.getValue() != null) {
        entry.setValue(ByteString.copyFrom(xattr.getValue()));
      }
      row.addXAttrs(entry);
    }
    return row;
  }
}
