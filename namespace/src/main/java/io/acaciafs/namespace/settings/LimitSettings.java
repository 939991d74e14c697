package io.acaciafs.namespace.settings;

/**
 * How large things may be, each limit under HDFS's own name.
 *
 * @param maxComponentLengthBytes dfs.namenode.fs-limits.max-component-length; 0 is no limit
 * @param maxDirectoryItems dfs.namenode.fs-limits.max-directory-items; 0 is no limit
 * @param minBlockSizeBytes dfs.namenode.fs-limits.min-block-size
 * @param maxBlocksPerFile dfs.namenode.fs-limits.max-blocks-per-file
 * @param minReplication dfs.namenode.replication.min
 * @param maxReplication dfs.replication.max
 * @param listing dfs.ls.limit, entries of a page
 */
public record LimitSettings(
    int maxComponentLengthBytes,
    int maxDirectoryItems,
    long minBlockSizeBytes,
    int maxBlocksPerFile,
    short minReplication,
    short maxReplication,
    int listing) {

  /** HDFS's, but for the limit of a directory's entries: here there is none. */
  public static final LimitSettings DEFAULTS =
      new LimitSettings(255, 0, 1024 * 1024, 10_000, (short) 1, (short) 512, 1000);

  public LimitSettings withMaxDirectoryItems(int items) {
    return new LimitSettings(
        maxComponentLengthBytes,
        items,
        minBlockSizeBytes,
        maxBlocksPerFile,
        minReplication,
        maxReplication,
        listing);
  }
}
