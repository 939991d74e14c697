package io.acaciafs.fsimage.survey;

import io.acaciafs.fsimage.format.ImageBits;
import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.format.InodeEncoder;
import io.acaciafs.fsimage.format.StringTable;
import io.acaciafs.namespace.record.Acl;
import io.acaciafs.namespace.record.BucketsAttribute;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeFeatures;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.Quota;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.settings.StoragePolicies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicy;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.AclFeatureProto;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INode;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.QuotaByStorageTypeEntryProto;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.XAttrCompactProto;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.XAttrFeatureProto;
import org.apache.hadoop.hdfs.server.namenode.INodeId;
import org.jspecify.annotations.Nullable;

/**
 * Makes our inodes of those in an image; the counterpart of {@link InodeEncoder}. Safe for use by
 * many threads.
 */
public final class InodeDecoder {
  private static final FsAction[] ACTIONS = FsAction.values();
  private static final AclEntryType[] TYPES = AclEntryType.values();
  private static final XAttr.NameSpace[] NAME_SPACES = XAttr.NameSpace.values();
  private static final StoragePolicies POLICIES = new StoragePolicies(StoragePolicy.HOT);

  private final ImageFile image;
  private final StringTable strings;

  public InodeDecoder(ImageFile image, StringTable strings) {
    this.image = image;
    this.strings = strings;
  }

  /**
   * @param locators those of directories, by their ids
   * @throws IOException when it makes no sense
   */
  public Inode decode(INode row, LongFunction<Locator> locators) throws IOException {
    return switch (row.getType()) {
      case FILE -> decode(row.getId(), row.getFile());
      case DIRECTORY -> decode(row.getId(), locators.apply(row.getId()), row.getDirectory());
      case SYMLINK -> {
        INodeSection.INodeSymlink link = row.getSymlink();
        Inode.Attributes attributes =
            attributes(
                link.getPermission(),
                link.getModificationTime(),
                link.getAccessTime(),
                InodeFeatures.NONE);
        yield new SymlinkInode(row.getId(), attributes, link.getTarget().toStringUtf8());
      }
    };
  }

  private FileInode decode(long id, INodeSection.INodeFile file) throws IOException {
    List<FileBlock> blocks = new ArrayList<>(file.getBlocksCount());
    for (BlockProto block : file.getBlocksList()) {
      if (block.getNumBytes() < 0 || block.getGenStamp() < 0) {
        throw image.damaged("file " + id + " has a block of " + block.getNumBytes() + " bytes");
      }
      blocks.add(new FileBlock(block.getBlockId(), block.getGenStamp(), block.getNumBytes()));
    }
    InodeFeatures features =
        file.hasAcl() || file.hasXAttrs() || file.getStoragePolicyID() != 0
            ? new InodeFeatures(
                acl(file.getAcl()),
                xattrs(file.getXAttrs()),
                policy(id, file.getStoragePolicyID()),
                Quota.NONE)
            : InodeFeatures.NONE;
    FileInode.Writer writer =
        file.hasFileUC()
            ? new FileInode.Writer(
                file.getFileUC().getClientName(), file.getFileUC().getClientMachine())
            : null;
    return new FileInode(
        id,
        attributes(
            file.getPermission(), file.getModificationTime(), file.getAccessTime(), features),
        (short) file.getReplication(),
        file.getPreferredBlockSize(),
        blocks,
        writer);
  }

  /** Files with one that is none could be read, and never be written to or repaired. */
  private byte policy(long inodeId, int id) throws IOException {
    byte policy = (byte) id;
    if (policy != id || POLICIES.policy(policy) == null) {
      throw image.damaged(
          "inode " + inodeId + " has the storage policy " + id + ", and there is none");
    }
    return policy;
  }

  private DirectoryInode decode(long id, Locator locator, INodeSection.INodeDirectory directory)
      throws IOException {
    List<XAttr> xattrs = new ArrayList<>(xattrs(directory.getXAttrs()));
    byte policy = HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED;
    for (XAttr xattr : List.copyOf(xattrs)) {
      byte[] value = xattr.getValue();
      if (BlockStoragePolicySuite.isStoragePolicyXAttr(xattr)
          && value != null
          && value.length == 1) {
        policy = policy(id, value[0]);
        xattrs.remove(xattr);
      }
    }
    Quota quota = quota(id, directory);
    InodeFeatures features =
        directory.hasAcl() || !xattrs.isEmpty() || policy != 0 || quota.isSet()
            ? new InodeFeatures(acl(directory.getAcl()), xattrs, policy, quota)
            : InodeFeatures.NONE;
    return new DirectoryInode(
        id,
        locator,
        attributes(directory.getPermission(), directory.getModificationTime(), 0, features),
        BucketsAttribute.of(xattrs));
  }

  /** The root has a quota of as many names as there are numbers, which is none. */
  private static Quota quota(long id, INodeSection.INodeDirectory directory) {
    long names = directory.getNsQuota();
    if (id == INodeId.ROOT_INODE_ID && names == Long.MAX_VALUE) {
      names = HdfsConstants.QUOTA_RESET;
    }
    Map<StorageType, Long> types = new EnumMap<>(StorageType.class);
    for (QuotaByStorageTypeEntryProto entry : directory.getTypeQuotas().getQuotasList()) {
      StorageType type = PBHelperClient.convertStorageType(entry.getStorageType());
      if (type.supportTypeQuota() && entry.getQuota() >= 0) {
        types.put(type, entry.getQuota());
      }
    }
    Quota quota =
        new Quota(
            Math.max(names, HdfsConstants.QUOTA_RESET),
            Math.max(directory.getDsQuota(), HdfsConstants.QUOTA_RESET),
            types);
    return quota.isSet() ? quota : Quota.NONE;
  }

  private Inode.Attributes attributes(
      long permission, long modificationTimeMs, long accessTimeMs, InodeFeatures features)
      throws IOException {
    return new Inode.Attributes(
        strings.user((int) (permission >>> ImageBits.USER_SHIFT) & ImageBits.STRING_MASK),
        strings.group((int) (permission >>> ImageBits.GROUP_SHIFT) & ImageBits.STRING_MASK),
        (short) (permission & ImageBits.MODE_MASK),
        modificationTimeMs,
        accessTimeMs,
        features);
  }

  private Acl acl(AclFeatureProto row) throws IOException {
    if (row.getEntriesCount() == 0) {
      return Acl.NONE;
    }
    List<AclEntry> access = new ArrayList<>();
    List<AclEntry> defaults = new ArrayList<>();
    for (int number : row.getEntriesList()) {
      boolean isDefault = (number >> ImageBits.ACL_SCOPE_SHIFT & 1) == 1;
      AclEntryType type = TYPES[number >> ImageBits.ACL_TYPE_SHIFT & 3];
      (isDefault ? defaults : access)
          .add(
              new AclEntry.Builder()
                  .setScope(isDefault ? AclEntryScope.DEFAULT : AclEntryScope.ACCESS)
                  .setType(type)
                  .setPermission(ACTIONS[number & 7])
                  .setName(name(type, number >>> ImageBits.NAME_SHIFT & ImageBits.STRING_MASK))
                  .build());
    }
    return new Acl(access, defaults);
  }

  private @Nullable String name(AclEntryType type, int number) throws IOException {
    if (number == 0) {
      return null;
    }
    return switch (type) {
      case USER -> strings.user(number);
      case GROUP -> strings.group(number);
      case MASK, OTHER -> null;
    };
  }

  /** The attributes of an inode, whatever they mean. */
  List<XAttr> xattrs(XAttrFeatureProto row) throws IOException {
    List<XAttr> xattrs = new ArrayList<>(row.getXAttrsCount());
    for (XAttrCompactProto xattr : row.getXAttrsList()) {
      int number = xattr.getName();
      int space =
          number >>> ImageBits.XATTR_SPACE_SHIFT & ImageBits.XATTR_SPACE_MASK
              | (number >>> ImageBits.XATTR_MORE_SPACE_SHIFT & 1) << ImageBits.XATTR_SPACE_BITS;
      if (space >= NAME_SPACES.length) {
        throw image.damaged("an extended attribute is of no name space");
      }
      xattrs.add(
          new XAttr.Builder()
              .setNameSpace(NAME_SPACES[space])
              .setName(strings.attribute(number >>> ImageBits.NAME_SHIFT & ImageBits.STRING_MASK))
              .setValue(xattr.hasValue() ? xattr.getValue().toByteArray() : null)
              .build());
    }
    return xattrs;
  }
}
