package io.acaciafs.namespace.settings;

/**
 * Limits and defaults of the namespace, each under HDFS's own name.
 *
 * @param permissions who may do everything
 * @param limits how large things may be
 * @param accessTimePrecisionMs dfs.namenode.accesstime.precision; 0 keeps no access times
 * @param leaseHardLimitMs dfs.namenode.lease-hard-limit-sec, in milliseconds
 * @param retryExpiryMs dfs.namenode.retrycache.expirytime.millis: how long the answer to a call
 *     that must not run twice is kept at least
 * @param features settings of ACLs, extended attributes, storage policies and quotas
 * @param directories how they grow
 */
public record NamespaceSettings(
    PermissionSettings permissions,
    LimitSettings limits,
    long accessTimePrecisionMs,
    long leaseHardLimitMs,
    long retryExpiryMs,
    FeatureSettings features,
    DirectorySettings directories) {

  public NamespaceSettings with(PermissionSettings newPermissions) {
    return with(newPermissions, limits, features, directories);
  }

  public NamespaceSettings with(LimitSettings newLimits) {
    return with(permissions, newLimits, features, directories);
  }

  public NamespaceSettings with(FeatureSettings newFeatures) {
    return with(permissions, limits, newFeatures, directories);
  }

  public NamespaceSettings with(DirectorySettings newDirectories) {
    return with(permissions, limits, features, newDirectories);
  }

  private NamespaceSettings with(
      PermissionSettings newPermissions,
      LimitSettings newLimits,
      FeatureSettings newFeatures,
      DirectorySettings newDirectories) {
    return new NamespaceSettings(
        newPermissions,
        newLimits,
        accessTimePrecisionMs,
        leaseHardLimitMs,
        retryExpiryMs,
        newFeatures,
        newDirectories);
  }

  /** HDFS's defaults, but for the limit of a directory's entries: here there is none. */
  public static NamespaceSettings defaults(String owner) {
    return new NamespaceSettings(
        new PermissionSettings(owner, "supergroup", true),
        LimitSettings.DEFAULTS,
        3_600_000,
        20 * 60 * 1000,
        10 * 60 * 1000,
        FeatureSettings.DEFAULTS,
        DirectorySettings.DEFAULTS);
  }
}
