package io.acaciafs.namespace.settings;

/**
 * Limits and defaults of the namespace, each under HDFS's own name.
 *
 * @param owner user that the NameNode runs as; owns the root of a new namespace
 * @param superGroup dfs.permissions.superusergroup
 * @param permissionsEnabled dfs.permissions.enabled
 * @param maxComponentLengthBytes dfs.namenode.fs-limits.max-component-length; 0 is no limit
 * @param maxDirectoryItems dfs.namenode.fs-limits.max-directory-items; 0 is no limit
 * @param minBlockSizeBytes dfs.namenode.fs-limits.min-block-size
 * @param maxBlocksPerFile dfs.namenode.fs-limits.max-blocks-per-file
 * @param minReplication dfs.namenode.replication.min
 * @param maxReplication dfs.replication.max
 * @param accessTimePrecisionMs dfs.namenode.accesstime.precision; 0 keeps no access times
 * @param listLimit dfs.ls.limit, entries of a page
 * @param leaseHardLimitMs dfs.namenode.lease-hard-limit-sec, in milliseconds
 * @param retryExpiryMs dfs.namenode.retrycache.expirytime.millis: how long the answer to a call
 *     that must not run twice is kept at least
 * @param features settings of ACLs, extended attributes, storage policies and quotas
 * @param directories how they grow
 */
public record NamespaceSettings(
    String owner,
    String superGroup,
    boolean permissionsEnabled,
    int maxComponentLengthBytes,
    int maxDirectoryItems,
    long minBlockSizeBytes,
    int maxBlocksPerFile,
    short minReplication,
    short maxReplication,
    long accessTimePrecisionMs,
    int listLimit,
    long leaseHardLimitMs,
    long retryExpiryMs,
    FeatureSettings features,
    DirectorySettings directories) {

  public NamespaceSettings with(FeatureSettings newFeatures) {
    return with(maxDirectoryItems, newFeatures, directories);
  }

  public NamespaceSettings with(DirectorySettings newDirectories) {
    return with(maxDirectoryItems, features, newDirectories);
  }

  public NamespaceSettings with(int newMaxDirectoryItems) {
    return with(newMaxDirectoryItems, features, directories);
  }

  private NamespaceSettings with(
      int newMaxDirectoryItems, FeatureSettings newFeatures, DirectorySettings newDirectories) {
    return new NamespaceSettings(
        owner,
        superGroup,
        permissionsEnabled,
        maxComponentLengthBytes,
        newMaxDirectoryItems,
        minBlockSizeBytes,
        maxBlocksPerFile,
        minReplication,
        maxReplication,
        accessTimePrecisionMs,
        listLimit,
        leaseHardLimitMs,
        retryExpiryMs,
        newFeatures,
        newDirectories);
  }

  /** HDFS's defaults, but for the limit of a directory's entries: here there is none. */
  public static NamespaceSettings defaults(String owner) {
    return new NamespaceSettings(
        owner,
        "supergroup",
        true,
        255,
        0,
        1024 * 1024,
        10_000,
        (short) 1,
        (short) 512,
        3_600_000,
        1000,
        20 * 60 * 1000,
        10 * 60 * 1000,
        FeatureSettings.DEFAULTS,
        DirectorySettings.DEFAULTS);
  }
}
