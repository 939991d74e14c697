package io.acaciafs.namespace.record.codec;

import com.google.protobuf.ByteString;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.InodeRecord;
import io.acaciafs.namespace.proto.QuotaRecord;
import io.acaciafs.namespace.proto.XAttrRecord;
import io.acaciafs.namespace.record.InodeFeatures;
import io.acaciafs.namespace.record.Quota;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.StorageTypeProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;

/** The features of an inode in its row. An inode without any costs nothing, on disk and in time. */
final class FeaturesCodec {
  private static final XAttr.NameSpace[] NAME_SPACES = XAttr.NameSpace.values();

  private FeaturesCodec() {}

  static void encode(
      InodeFeatures features, ToIntFunction<String> idOfName, InodeRecord.Builder row) {
    if (features.equals(InodeFeatures.NONE)) {
      return;
    }
    row.addAllAcl(AclCodec.encode(features.acl(), idOfName));
    for (XAttr xattr : features.xattrs()) {
      row.addXattrs(encode(xattr));
    }
    row.setStoragePolicy(features.storagePolicyId());
    if (!features.quota().equals(Quota.NONE)) {
      row.setQuota(encode(features.quota()));
    }
  }

  private static XAttrRecord encode(XAttr xattr) {
    XAttrRecord.Builder row =
        XAttrRecord.newBuilder()
            .setNameSpace(xattr.getNameSpace().ordinal())
            .setName(xattr.getName());
    if (xattr.getValue() != null) {
      row.setValue(ByteString.copyFrom(xattr.getValue()));
    }
    return row.build();
  }

  private static QuotaRecord encode(Quota quota) {
    QuotaRecord.Builder row =
        QuotaRecord.newBuilder()
            .setNamespaceLimit(quota.names())
            .setSpaceLimitBytes(quota.spaceBytes());
    quota
        .typeBytes()
        .forEach(
            (type, bytes) ->
                row.putTypeLimitBytes(PBHelperClient.convertStorageType(type).getNumber(), bytes));
    return row.build();
  }

  static InodeFeatures decode(InodeRecord row, IntFunction<String> nameOfId) {
    if (row.getAclCount() == 0
        && row.getXattrsCount() == 0
        && row.getStoragePolicy() == 0
        && !row.hasQuota()) {
      return InodeFeatures.NONE;
    }
    List<XAttr> xattrs = new ArrayList<>(row.getXattrsCount());
    for (XAttrRecord xattr : row.getXattrsList()) {
      xattrs.add(decode(xattr));
    }
    return new InodeFeatures(
        AclCodec.decode(row.getAclList(), nameOfId),
        xattrs,
        (byte) row.getStoragePolicy(),
        row.hasQuota() ? decode(row.getQuota()) : Quota.NONE);
  }

  private static XAttr decode(XAttrRecord row) {
    if (row.getNameSpace() < 0 || row.getNameSpace() >= NAME_SPACES.length) {
      throw new StoreException("An extended attribute of no name space: " + row.getNameSpace());
    }
    return new XAttr.Builder()
        .setNameSpace(NAME_SPACES[row.getNameSpace()])
        .setName(row.getName())
        .setValue(row.hasValue() ? row.getValue().toByteArray() : null)
        .build();
  }

  private static StorageType storageType(int number) {
    StorageTypeProto type = StorageTypeProto.forNumber(number);
    if (type == null) {
      throw new StoreException("A quota of no type of storage: " + number);
    }
    return PBHelperClient.convertStorageType(type);
  }

  private static Quota decode(QuotaRecord row) {
    Map<StorageType, Long> typeBytes = new EnumMap<>(StorageType.class);
    row.getTypeLimitBytesMap().forEach((type, bytes) -> typeBytes.put(storageType(type), bytes));
    return new Quota(row.getNamespaceLimit(), row.getSpaceLimitBytes(), typeBytes);
  }
}
