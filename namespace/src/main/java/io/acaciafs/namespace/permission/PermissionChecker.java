package io.acaciafs.namespace.permission;

import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.directory.Directories;
import io.acaciafs.namespace.path.PathWalk;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Inode.Attributes;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's permission model: owner, group and others, or an ACL; execute to traverse; the sticky bit.
 * A superuser passes everywhere, and so does nearly everybody when dfs.permissions.enabled is
 * false.
 *
 * <p>All refusals are {@link AccessControlException} with HDFS's texts.
 */
public final class PermissionChecker {
  private final Caller caller;
  private final OperationContext context;
  private final boolean enabled;

  public PermissionChecker(OperationContext context) {
    this.context = context;
    this.caller = context.caller();
    this.enabled = context.settings().permissions().isEnabled();
  }

  /**
   * Every directory on the way may be traversed.
   *
   * @throws ParentNotDirectoryException when there is a file on the way
   * @throws UnresolvedPathException when there is a symbolic link on the way
   */
  public void checkTraverse(ResolvedPath path)
      throws AccessControlException, ParentNotDirectoryException, UnresolvedPathException {
    boolean passes = passes();
    int ancestors = Math.min(path.inodes().size(), path.names().size());
    for (int i = 0; i < ancestors; i++) {
      Inode inode = path.inodes().get(i);
      if (!inode.isDirectory()) {
        path.requireNoLink(i);
        throw new ParentNotDirectoryException(path.pathOf(i) + " (is not a directory)");
      }
      if (!passes) {
        check(path, i, FsAction.EXECUTE);
      }
    }
  }

  /** The deepest directory that exists on the way allows it: for what is to be created below. */
  public void checkAncestor(ResolvedPath path, FsAction access) throws AccessControlException {
    if (!passes() && !path.isRoot()) {
      check(path, Math.min(path.inodes().size(), path.names().size()) - 1, access);
    }
  }

  /** The parent may be written to, and its sticky bit lets this entry go. */
  public void checkRemove(ResolvedPath path) throws AccessControlException {
    if (passes() || path.isRoot() || path.parent() == null) {
      return;
    }
    int parent = path.names().size() - 1;
    if (path.exists()) {
      checkStickyBit(path.pathOf(parent), path.parent(), path.toString(), path.existing());
    }
    check(path, parent, FsAction.WRITE);
  }

  /** The inode itself, where there is one, allows it. */
  public void checkInode(ResolvedPath path, FsAction access) throws AccessControlException {
    if (!passes() && path.exists()) {
      check(path, path.names().size(), access);
    }
  }

  /** Also when dfs.permissions.enabled is false: who may change permissions is always checked. */
  public void checkOwner(ResolvedPath path) throws AccessControlException {
    if (path.exists()
        && !caller.user().equals(path.existing().attributes().owner())
        && !caller.isSuperuser()) {
      throw new AccessControlException(
          "Permission denied. user=" + caller.user() + " is not the owner of inode=" + path);
    }
  }

  /**
   * @param operation as HDFS calls it
   */
  public void checkSuperuser(@Nullable String operation) throws AccessControlException {
    if (enabled && !caller.isSuperuser()) {
      throw superuserRequired(caller.user(), operation);
    }
  }

  /** The same for the method that was called. */
  public void checkSuperuser() throws AccessControlException {
    checkSuperuser(OperationNames.of(caller.method()));
  }

  /**
   * The refusal for a user that is not a superuser.
   *
   * @param method of a protocol
   */
  public static AccessControlException superuserRequired(String user, @Nullable String method) {
    return new AccessControlException(
        "Access denied for user "
            + user
            + ". Superuser privilege is required for operation "
            + OperationNames.of(method));
  }

  /** A directory somewhere below, met on a walk. */
  public void checkDirectory(DirectoryInode directory, FsAction access)
      throws AccessControlException {
    if (!passes() && !allows(directory.attributes(), access)) {
      throw denied(directory, pathOf(directory), access);
    }
  }

  /**
   * Everything below a directory may be removed: all directories that are not empty allow
   * everything, and no sticky bit forbids it.
   */
  public void checkRemoveBelow(DirectoryInode top) throws AccessControlException {
    if (passes()) {
      return;
    }
    new Directories(context)
        .walkSubtree(
            top,
            (directory, child) -> {
              checkDirectory(directory, FsAction.ALL);
              if (violatesStickyBit(directory, child)) {
                checkStickyBit(pathOf(directory), directory, pathOf(child), child);
              }
            });
  }

  /** Whether nothing is forbidden, whatever is asked. */
  public boolean passes() {
    return !enabled || caller.isSuperuser();
  }

  private void check(ResolvedPath path, int index, FsAction access) throws AccessControlException {
    Inode inode = path.inodes().get(index);
    if (!allows(inode.attributes(), access)) {
      throw denied(inode, path.pathOf(index), access);
    }
  }

  private boolean allows(Attributes attributes, FsAction access) {
    if (!attributes.features().acl().access().isEmpty()) {
      return allowsByAcl(attributes, access);
    }
    FsPermission permission = attributes.permission();
    FsAction granted;
    if (caller.user().equals(attributes.owner())) {
      granted = permission.getUserAction();
    } else if (caller.isMemberOf(attributes.group())) {
      granted = permission.getGroupAction();
    } else {
      granted = permission.getOtherAction();
    }
    return granted.implies(access);
  }

  /**
   * The owner is judged by the permission bits, anybody else by the first entry that names him,
   * else by any entry of a group that he is in, and only then as one of the others. The group's
   * bits mask all but owner and others.
   */
  private boolean allowsByAcl(Attributes attributes, FsAction access) {
    FsPermission permission = attributes.permission();
    if (caller.user().equals(attributes.owner())) {
      return permission.getUserAction().implies(access);
    }
    FsAction mask = permission.getGroupAction();
    boolean isNamed = false;
    for (AclEntry entry : attributes.features().acl().access()) {
      if (entry.getType() == AclEntryType.USER) {
        if (caller.user().equals(entry.getName())) {
          return entry.getPermission().and(mask).implies(access);
        }
      } else if (caller.isMemberOf(
          entry.getName() == null ? attributes.group() : entry.getName())) {
        if (entry.getPermission().and(mask).implies(access)) {
          return true;
        }
        isNamed = true;
      }
    }
    return !isNamed && permission.getOtherAction().implies(access);
  }

  private boolean violatesStickyBit(Inode parent, Inode child) {
    return parent.attributes().permission().getStickyBit()
        && !parent.attributes().owner().equals(caller.user())
        && !child.attributes().owner().equals(caller.user());
  }

  private void checkStickyBit(String parentPath, Inode parent, String path, Inode child)
      throws AccessControlException {
    if (violatesStickyBit(parent, child)) {
      throw new AccessControlException(
          FSExceptionMessages.PERMISSION_DENIED_BY_STICKY_BIT
              + ": user="
              + caller.user()
              + ", path="
              + described(child, path)
              + ", parent="
              + described(parent, parentPath));
    }
  }

  private AccessControlException denied(Inode inode, String path, FsAction access) {
    return new AccessControlException(
        "Permission denied: user="
            + caller.user()
            + ", access="
            + access
            + ", inode="
            + described(inode, path));
  }

  private static String described(Inode inode, String path) {
    Attributes attributes = inode.attributes();
    return "\""
        + path
        + "\":"
        + attributes.owner()
        + ":"
        + attributes.group()
        + ":"
        + (inode.isDirectory() ? "d" : "-")
        + attributes.permission();
  }

  private String pathOf(Inode inode) {
    return PathWalk.pathOf(context, inode.id());
  }
}
