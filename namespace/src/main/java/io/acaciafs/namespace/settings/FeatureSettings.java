package io.acaciafs.namespace.settings;

import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * Settings of ACLs, extended attributes, storage policies and quotas, each under HDFS's own name.
 *
 * @param aclsEnabled dfs.namenode.acls.enabled
 * @param posixAclInheritance dfs.namenode.posix.acl.inheritance.enabled
 * @param xattrsEnabled dfs.namenode.xattrs.enabled
 * @param maxXAttrsPerInode dfs.namenode.fs-limits.max-xattrs-per-inode
 * @param maxXAttrSizeBytes dfs.namenode.fs-limits.max-xattr-size, of name and value together
 * @param storagePolicyEnabled dfs.storage.policy.enabled
 * @param storagePolicySuperuserOnly dfs.storage.policy.permissions.superuser-only
 * @param quotaByStorageTypeEnabled dfs.quota.by.storage.type.enabled
 * @param ownerSetsQuota dfs.permissions.allow.owner.set.quota
 * @param storagePolicies all there are; the default is dfs.storage.default.policy
 * @param openFilesPerPage dfs.namenode.list.openfiles.num.responses
 */
public record FeatureSettings(
    boolean aclsEnabled,
    boolean posixAclInheritance,
    boolean xattrsEnabled,
    int maxXAttrsPerInode,
    int maxXAttrSizeBytes,
    boolean storagePolicyEnabled,
    boolean storagePolicySuperuserOnly,
    boolean quotaByStorageTypeEnabled,
    boolean ownerSetsQuota,
    StoragePolicies storagePolicies,
    int openFilesPerPage) {
  /** HDFS's. */
  public static final FeatureSettings DEFAULTS =
      new FeatureSettings(
          true,
          true,
          true,
          32,
          16384,
          true,
          false,
          true,
          false,
          new StoragePolicies(DFSConfigKeys.DFS_STORAGE_DEFAULT_POLICY_DEFAULT),
          1000);

  public FeatureSettings withAcls(boolean enabled, boolean posixInheritance) {
    return new FeatureSettings(
        enabled,
        posixInheritance,
        xattrsEnabled,
        maxXAttrsPerInode,
        maxXAttrSizeBytes,
        storagePolicyEnabled,
        storagePolicySuperuserOnly,
        quotaByStorageTypeEnabled,
        ownerSetsQuota,
        storagePolicies,
        openFilesPerPage);
  }

  public FeatureSettings withXAttrs(boolean enabled) {
    return new FeatureSettings(
        aclsEnabled,
        posixAclInheritance,
        enabled,
        maxXAttrsPerInode,
        maxXAttrSizeBytes,
        storagePolicyEnabled,
        storagePolicySuperuserOnly,
        quotaByStorageTypeEnabled,
        ownerSetsQuota,
        storagePolicies,
        openFilesPerPage);
  }

  public FeatureSettings withStoragePolicies(boolean enabled, boolean superuserOnly) {
    return new FeatureSettings(
        aclsEnabled,
        posixAclInheritance,
        xattrsEnabled,
        maxXAttrsPerInode,
        maxXAttrSizeBytes,
        enabled,
        superuserOnly,
        quotaByStorageTypeEnabled,
        ownerSetsQuota,
        storagePolicies,
        openFilesPerPage);
  }

  public FeatureSettings withOpenFilesPerPage(int openFiles) {
    return new FeatureSettings(
        aclsEnabled,
        posixAclInheritance,
        xattrsEnabled,
        maxXAttrsPerInode,
        maxXAttrSizeBytes,
        storagePolicyEnabled,
        storagePolicySuperuserOnly,
        quotaByStorageTypeEnabled,
        ownerSetsQuota,
        storagePolicies,
        openFiles);
  }
}
