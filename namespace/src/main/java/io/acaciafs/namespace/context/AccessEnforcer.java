package io.acaciafs.namespace.context;

import io.acaciafs.namespace.record.Inode;
import java.util.List;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * What a class of the site decides in one attempt of an operation. Paths are given as names, none
 * for the root, and as the inodes that are there from the root on: at most one more than there are
 * names. Used by one thread.
 */
public interface AccessEnforcer {
  /**
   * Checks that the user has access. A superuser is not asked about.
   *
   * @param operation as HDFS calls it; null: unknown
   * @throws AccessControlException if not. With a cause where it found that an inode on the way is
   *     no directory
   */
  void check(
      @Nullable String operation, List<byte[]> names, List<Inode> inodes, WantedAccess wanted)
      throws AccessControlException;

  /**
   * Checks the access to a directory that a walk has met, without those above it.
   *
   * @param names of the directory; at least one, unless it is the root
   * @param inodes all of them, the directory last
   */
  void checkAlone(
      @Nullable String operation, List<byte[]> names, List<Inode> inodes, FsAction access)
      throws AccessControlException;

  /**
   * The attributes of an inode as the user is to see them.
   *
   * @param above the inodes before it, as far as they are there
   */
  Inode.Attributes attributes(List<byte[]> names, List<Inode> above, Inode inode);
}
