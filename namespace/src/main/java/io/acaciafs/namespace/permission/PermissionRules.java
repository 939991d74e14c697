package io.acaciafs.namespace.permission;

import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Inode.Attributes;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;

/**
 * What mode, ACL and sticky bit of an inode allow a caller that is no superuser. Source of the
 * rules and the texts: HDFS's FSPermissionChecker.
 */
final class PermissionRules {
  private final Caller caller;

  PermissionRules(Caller caller) {
    this.caller = caller;
  }

  /** Whether the mode, or the ACL, gives the caller this access. */
  boolean allows(Attributes attributes, FsAction access) {
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

  boolean violatesStickyBit(Inode parent, Inode child) {
    return parent.attributes().permission().getStickyBit()
        && !parent.attributes().owner().equals(caller.user())
        && !child.attributes().owner().equals(caller.user());
  }

  void checkStickyBit(String parentPath, Inode parent, String path, Inode child)
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

  /** HDFS's refusal. */
  AccessControlException denied(Inode inode, String path, FsAction access) {
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
}
