package io.acaciafs.namespace;

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
    int openFilesPerPage) {
  /** HDFS's. */
  public static final FeatureSettings DEFAULTS =
      new FeatureSettings(true, true, true, 32, 16384, true, false, true, false, 1000);
}
