package io.acaciafs.namespace.record;

import java.util.List;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * What only few inodes have, as HDFS's INode.Feature.
 *
 * @param xattrs no two of the same name; unmodifiable
 * @param storagePolicyId of this inode itself, 0 where it has none
 * @param quota {@link Quota#NONE} for files
 */
public record InodeFeatures(Acl acl, List<XAttr> xattrs, byte storagePolicyId, Quota quota) {
  public static final InodeFeatures NONE =
      new InodeFeatures(
          Acl.NONE, List.of(), HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED, Quota.NONE);

  public InodeFeatures {
    xattrs = List.copyOf(xattrs);
  }

  public InodeFeatures withAcl(Acl newAcl) {
    return new InodeFeatures(newAcl, xattrs, storagePolicyId, quota);
  }

  public InodeFeatures withXAttrs(List<XAttr> newXAttrs) {
    return new InodeFeatures(acl, newXAttrs, storagePolicyId, quota);
  }

  public InodeFeatures withStoragePolicyId(byte newPolicyId) {
    return new InodeFeatures(acl, xattrs, newPolicyId, quota);
  }

  public InodeFeatures withQuota(Quota newQuota) {
    return new InodeFeatures(acl, xattrs, storagePolicyId, newQuota);
  }
}
