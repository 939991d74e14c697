package io.acaciafs.namespace.settings;

import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * Settings of ACLs, extended attributes, storage policies and quotas, each under HDFS's own name.
 *
 * @param quotaByStorageTypeEnabled dfs.quota.by.storage.type.enabled
 * @param ownerSetsQuota dfs.permissions.allow.owner.set.quota
 * @param storagePolicies all there are; the default is dfs.storage.default.policy
 * @param openFilesPerPage dfs.namenode.list.openfiles.num.responses
 */
public record FeatureSettings(
    AclSettings acls,
    XAttrSettings xattrs,
    StoragePolicyAccess storagePolicyAccess,
    boolean quotaByStorageTypeEnabled,
    boolean ownerSetsQuota,
    StoragePolicies storagePolicies,
    int openFilesPerPage) {
  /** HDFS's. */
  public static final FeatureSettings DEFAULTS =
      new FeatureSettings(
          new AclSettings(true, true),
          new XAttrSettings(true, 32, 16384),
          new StoragePolicyAccess(true, false),
          true,
          false,
          new StoragePolicies(DFSConfigKeys.DFS_STORAGE_DEFAULT_POLICY_DEFAULT),
          1000);

  public FeatureSettings withAcls(boolean enabled, boolean posixInheritance) {
    return with(
        new AclSettings(enabled, posixInheritance), xattrs, storagePolicyAccess, openFilesPerPage);
  }

  public FeatureSettings withXAttrs(boolean enabled) {
    return with(acls, xattrs.withEnabled(enabled), storagePolicyAccess, openFilesPerPage);
  }

  public FeatureSettings withStoragePolicies(boolean enabled, boolean superuserOnly) {
    return with(acls, xattrs, new StoragePolicyAccess(enabled, superuserOnly), openFilesPerPage);
  }

  public FeatureSettings withOpenFilesPerPage(int openFiles) {
    return with(acls, xattrs, storagePolicyAccess, openFiles);
  }

  private FeatureSettings with(
      AclSettings newAcls, XAttrSettings newXAttrs, StoragePolicyAccess newAccess, int openFiles) {
    return new FeatureSettings(
        newAcls,
        newXAttrs,
        newAccess,
        quotaByStorageTypeEnabled,
        ownerSetsQuota,
        storagePolicies,
        openFiles);
  }
}
