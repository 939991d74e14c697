package io.acaciafs.namespace.path;

import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.SymlinkInode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.jspecify.annotations.Nullable;

/**
 * A path and the inodes found along it: the root first, then as far as names led. The walk ends at
 * a name that is not there, or behind a file or a symbolic link.
 *
 * @param names the components, none for the root
 * @param inodes at least the root; at most one more than there are names
 */
public record ResolvedPath(List<byte[]> names, List<Inode> inodes) {

  public boolean isRoot() {
    return names.isEmpty();
  }

  public boolean exists() {
    return inodes.size() == names.size() + 1;
  }

  /** Whether the whole path leads to the inode of this id. */
  public boolean leadsTo(long inodeId) {
    return exists() && existing().id() == inodeId;
  }

  /** The inode that the whole path leads to; null where there is none. */
  public @Nullable Inode inode() {
    return exists() ? inodes.get(names.size()) : null;
  }

  /**
   * The inode that the whole path leads to.
   *
   * @throws NullPointerException when the caller has not made sure that there is one
   */
  public Inode existing() {
    return Objects.requireNonNull(inode(), "the path exists");
  }

  /** The inode that the path without its last name leads to; null where there is none. */
  public @Nullable Inode parent() {
    return inodes.size() >= names.size() && !isRoot() ? inodes.get(names.size() - 1) : null;
  }

  /**
   * @throws IllegalStateException when the caller has not made sure that there is one
   */
  public DirectoryInode parentDirectory() {
    if (parent() instanceof DirectoryInode directory) {
      return directory;
    }
    throw new IllegalStateException("No parent directory: " + this);
  }

  /** What the inode at the end of the path has or inherits; 0 where none has one. */
  public byte storagePolicyId() {
    return storagePolicyId(inodes.size());
  }

  /** What an inode at the end of the path inherits, whether there is one or not. */
  public byte inheritedStoragePolicyId() {
    return storagePolicyId(Math.min(inodes.size(), names.size()));
  }

  private byte storagePolicyId(int count) {
    for (int i = count - 1; i >= 0; i--) {
      byte id = inodes.get(i).features().storagePolicyId();
      if (id != HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED) {
        return id;
      }
    }
    return HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED;
  }

  /** Whether both have the same names. */
  public boolean isSameAs(ResolvedPath other) {
    return names.size() == other.names.size() && beginsWith(other.names);
  }

  /** Whether this is a path behind another one, by its names. */
  public boolean isBelow(ResolvedPath other) {
    return names.size() > other.names.size() && !other.isRoot() && beginsWith(other.names);
  }

  private boolean beginsWith(List<byte[]> first) {
    for (int i = 0; i < first.size(); i++) {
      if (!Arrays.equals(names.get(i), first.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The deepest inode that was found. */
  public Inode lastExisting() {
    return inodes.get(inodes.size() - 1);
  }

  /** The index of the last component; -1 for the root. */
  public int lastIndex() {
    return names.size() - 1;
  }

  /** The last component. */
  public byte[] name() {
    return names.get(names.size() - 1);
  }

  /** The path of the inode at this index of {@link #inodes}. */
  public String pathOf(int index) {
    return PathNames.join(names, index);
  }

  public String parentPath() {
    return PathNames.join(names, Math.max(0, names.size() - 1));
  }

  /**
   * What the client needs to go on by itself, where there is a symbolic link at this index of
   * {@link #inodes}.
   *
   * @throws UnresolvedPathException when there is
   * @throws IllegalArgumentException when no path comes of it
   */
  public void requireNoLink(int index) throws UnresolvedPathException {
    if (inodes.get(index) instanceof SymlinkInode link) {
      List<byte[]> rest = names.subList(index, names.size());
      String remainder = PathNames.join(rest, rest.size()).substring(1);
      UnresolvedPathException unresolved =
          new UnresolvedPathException(toString(), pathOf(index - 1), remainder, link.target());
      // its message is made when somebody asks: it must not fail while a reply is being written
      unresolved.getResolvedPath();
      throw unresolved;
    }
  }

  /** The path without its last name; null for the root. */
  public @Nullable ResolvedPath withoutName() {
    int left = names.size() - 1;
    return left < 0
        ? null
        : new ResolvedPath(
            names.subList(0, left), inodes.subList(0, Math.min(inodes.size(), left + 1)));
  }

  /** The same path with an entry of the directory that it leads to, existing or not (null). */
  public ResolvedPath append(byte[] name, @Nullable Inode child) {
    List<byte[]> newNames = new ArrayList<>(names);
    newNames.add(name);
    List<Inode> newInodes = new ArrayList<>(inodes);
    if (child != null) {
      newInodes.add(child);
    }
    return new ResolvedPath(newNames, newInodes);
  }

  /** The path, normalized. */
  @Override
  public String toString() {
    return PathNames.join(names, names.size());
  }
}
