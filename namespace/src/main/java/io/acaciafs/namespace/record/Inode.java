package io.acaciafs.namespace.record;

import org.apache.hadoop.fs.permission.FsPermission;

/** What an entry of a directory holds. Immutable; a change makes a new one. */
public sealed interface Inode permits DirectoryInode, FileInode, SymlinkInode {
  long id();

  Attributes attributes();

  /** The same inode with other attributes. */
  Inode with(Attributes attributes);

  default InodeFeatures features() {
    return attributes().features();
  }

  /** The same inode with other features. */
  default Inode with(InodeFeatures features) {
    return with(attributes().withFeatures(features));
  }

  default boolean isDirectory() {
    return this instanceof DirectoryInode;
  }

  /**
   * What all inodes have in common.
   *
   * @param mode permission bits with the sticky bit; with an ACL the group's bits are its mask
   * @param modificationTimeMs since the epoch; of a directory only what was set by hand: what
   *     happens in it is counted beside it, see {@link DirectoryCounters}
   * @param accessTimeMs since the epoch; 0 for a directory that nobody set it on
   * @param features what most inodes do not have
   */
  record Attributes(
      String owner,
      String group,
      short mode,
      long modificationTimeMs,
      long accessTimeMs,
      InodeFeatures features) {

    public Attributes(
        String owner, String group, short mode, long modificationTimeMs, long accessTimeMs) {
      this(owner, group, mode, modificationTimeMs, accessTimeMs, InodeFeatures.NONE);
    }

    public FsPermission permission() {
      return new FsPermission(mode);
    }

    public Attributes withOwner(String newOwner) {
      return new Attributes(newOwner, group, mode, modificationTimeMs, accessTimeMs, features);
    }

    public Attributes withGroup(String newGroup) {
      return new Attributes(owner, newGroup, mode, modificationTimeMs, accessTimeMs, features);
    }

    public Attributes withMode(short newMode) {
      return new Attributes(owner, group, newMode, modificationTimeMs, accessTimeMs, features);
    }

    public Attributes withModificationTimeMs(long timeMs) {
      return new Attributes(owner, group, mode, timeMs, accessTimeMs, features);
    }

    public Attributes withAccessTimeMs(long timeMs) {
      return new Attributes(owner, group, mode, modificationTimeMs, timeMs, features);
    }

    public Attributes withFeatures(InodeFeatures newFeatures) {
      return new Attributes(owner, group, mode, modificationTimeMs, accessTimeMs, newFeatures);
    }
  }
}
