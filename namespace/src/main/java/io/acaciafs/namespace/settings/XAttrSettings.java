package io.acaciafs.namespace.settings;

/**
 * Whether there are extended attributes, and how many.
 *
 * @param enabled dfs.namenode.xattrs.enabled
 * @param maxPerInode dfs.namenode.fs-limits.max-xattrs-per-inode
 * @param maxSizeBytes dfs.namenode.fs-limits.max-xattr-size, of name and value together
 */
public record XAttrSettings(boolean enabled, int maxPerInode, int maxSizeBytes) {
  XAttrSettings withEnabled(boolean isEnabled) {
    return new XAttrSettings(isEnabled, maxPerInode, maxSizeBytes);
  }
}
