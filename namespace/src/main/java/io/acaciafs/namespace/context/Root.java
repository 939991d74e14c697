package io.acaciafs.namespace.context;

import io.acaciafs.kv.Key;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.settings.NamespaceSettings;

/** The root directory: the one inode whose entry lies in no directory. */
public final class Root {
  /** HDFS's INodeId.ROOT_INODE_ID. */
  public static final long ID = 16385;

  /** The entry without a name of a directory that does not exist. */
  public static final Key KEY = NamespaceKeys.entry(Locator.spread(0), 0, new byte[0]);

  private static final short MODE = 0755;

  private Root() {}

  public static DirectoryInode create(NamespaceSettings settings, long nowMs) {
    return new DirectoryInode(
        ID,
        Locator.spread(ID),
        new Inode.Attributes(
            settings.permissions().owner(), settings.permissions().superGroup(), MODE, nowMs, 0));
  }
}
