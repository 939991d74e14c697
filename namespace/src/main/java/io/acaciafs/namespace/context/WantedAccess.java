package io.acaciafs.namespace.context;

import org.apache.hadoop.fs.permission.FsAction;
import org.jspecify.annotations.Nullable;

/**
 * What an operation wants of a path, besides that each directory on the way may be traversed. As
 * the parameters of {@code FSPermissionChecker.checkPermission} of HDFS; null: nothing.
 *
 * @param isOwner whether the user must own the inode
 * @param ancestor of the deepest directory that is there
 * @param parent of the directory that holds the inode; if it is to be written, the sticky bit
 *     counts too
 * @param target of the inode itself
 * @param subtree of all directories from the inode on
 * @param passesEmpty whether an empty directory needs no access for {@code subtree}
 */
public record WantedAccess(
    boolean isOwner,
    @Nullable FsAction ancestor,
    @Nullable FsAction parent,
    @Nullable FsAction target,
    @Nullable FsAction subtree,
    boolean passesEmpty) {

  /** Nothing but to come there. */
  public static final WantedAccess TRAVERSE = of(null, null, null);

  public static final WantedAccess OWNER = new WantedAccess(true, null, null, null, null, false);

  /** To remove an entry. */
  public static final WantedAccess REMOVE = of(null, FsAction.WRITE, null);

  /** To remove an entry with all that is below it. */
  public static final WantedAccess REMOVE_ALL =
      new WantedAccess(false, null, FsAction.WRITE, null, FsAction.ALL, true);

  public static WantedAccess ofAncestor(FsAction access) {
    return of(access, null, null);
  }

  public static WantedAccess ofTarget(FsAction access) {
    return of(null, null, access);
  }

  public static WantedAccess ofSubtree(FsAction access) {
    return new WantedAccess(false, null, null, null, access, false);
  }

  private static WantedAccess of(
      @Nullable FsAction ancestor, @Nullable FsAction parent, @Nullable FsAction target) {
    return new WantedAccess(false, ancestor, parent, target, null, false);
  }
}
