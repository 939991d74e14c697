package io.acaciafs.namespace.settings;

/**
 * How directories grow.
 *
 * @param firstBuckets with how many buckets a new directory begins; a power of two
 * @param splitThreshold acacia.directory.split.threshold: a bucket with more entries is divided; 0:
 *     none ever is
 */
public record DirectorySettings(int firstBuckets, long splitThreshold) {
  public static final DirectorySettings DEFAULTS = new DirectorySettings(1, 0);
}
