package io.acaciafs.namespace.permission;

import io.acaciafs.namespace.context.AccessEnforcer;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.context.ExternalAuthorizer;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.context.WantedAccess;
import io.acaciafs.namespace.directory.Directories;
import io.acaciafs.namespace.path.PathWalk;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's permission model: owner, group and others, or an ACL; execute to traverse; the sticky bit.
 * A superuser passes everywhere, and so does nearly everybody when dfs.permissions.enabled is
 * false. Where a class of the site decides ({@link Caller#authorizer}), it is asked instead, at the
 * places where HDFS asks it.
 *
 * <p>All refusals are {@link AccessControlException} with HDFS's texts.
 */
public final class PermissionChecker {
  private final Caller caller;
  private final OperationContext context;
  private final boolean enabled;
  private final PermissionRules rules;
  private @Nullable String operation;

  /** Null where HDFS's rules decide. */
  private final @Nullable AccessEnforcer enforcer;

  /** Null until a walk asks. */
  private @Nullable PathsBelow paths;

  public PermissionChecker(OperationContext context) {
    this.context = context;
    this.caller = context.caller();
    this.enabled = context.settings().permissions().isEnabled();
    this.rules = new PermissionRules(caller);
    this.operation = OperationNames.of(caller.method());
    ExternalAuthorizer authorizer = caller.authorizer();
    this.enforcer = authorizer == null ? null : authorizer.enforcer(context);
  }

  /** For methods behind which HDFS has several operations. */
  public void nameOperation(String name) {
    operation = name;
  }

  /**
   * Every directory on the way may be traversed.
   *
   * @throws ParentNotDirectoryException when there is a file on the way
   * @throws UnresolvedPathException when there is a symbolic link on the way
   */
  public void checkTraverse(ResolvedPath path)
      throws AccessControlException, ParentNotDirectoryException, UnresolvedPathException {
    if (enforcer == null) {
      checkWay(path, !passes());
      return;
    }
    try {
      isDecided(path, WantedAccess.TRAVERSE);
    } catch (AccessControlException e) {
      if (e.getCause() instanceof ParentNotDirectoryException
          || e.getCause() instanceof UnresolvedPathException) {
        checkWay(path, false);
      }
      throw e;
    }
    checkWay(path, false);
  }

  /**
   * The same where a check of the inode follows. A class of the site then decides on both at once.
   */
  public void checkTraverseFirst(ResolvedPath path)
      throws AccessControlException, ParentNotDirectoryException, UnresolvedPathException {
    checkWay(path, enforcer == null && !passes());
  }

  private void checkWay(ResolvedPath path, boolean checksAccess)
      throws AccessControlException, ParentNotDirectoryException, UnresolvedPathException {
    int ancestors = Math.min(path.inodes().size(), path.names().size());
    for (int i = 0; i < ancestors; i++) {
      Inode inode = path.inodes().get(i);
      if (!inode.isDirectory()) {
        path.requireNoLink(i);
        throw new ParentNotDirectoryException(path.pathOf(i) + " (is not a directory)");
      }
      if (checksAccess) {
        check(path, i, FsAction.EXECUTE);
      }
    }
  }

  /** The deepest directory that exists on the way allows it: for what is to be created below. */
  public void checkAncestor(ResolvedPath path, FsAction access) throws AccessControlException {
    if (isDecided(path, WantedAccess.ofAncestor(access)) || passes() || path.isRoot()) {
      return;
    }
    check(path, Math.min(path.inodes().size(), path.names().size()) - 1, access);
  }

  /** The parent may be written to, and its sticky bit lets this entry go. */
  public void checkRemove(ResolvedPath path) throws AccessControlException {
    if (!isDecided(path, WantedAccess.REMOVE)) {
      checkRemoveByRules(path);
    }
  }

  /**
   * The same, and everything below may be removed: all directories that are not empty allow
   * everything, and no sticky bit forbids it.
   */
  public void checkRemoveAll(ResolvedPath path) throws AccessControlException {
    if (isDecided(path, WantedAccess.REMOVE_ALL)) {
      return;
    }
    checkRemoveByRules(path);
    if (!passes() && path.inode() instanceof DirectoryInode directory) {
      checkRemoveBelow(directory);
    }
  }

  private void checkRemoveByRules(ResolvedPath path) throws AccessControlException {
    if (passes() || path.isRoot() || path.parent() == null) {
      return;
    }
    int parent = path.names().size() - 1;
    if (path.exists()) {
      rules.checkStickyBit(path.pathOf(parent), path.parent(), path.toString(), path.existing());
    }
    check(path, parent, FsAction.WRITE);
  }

  /** The inode itself, where there is one, allows it. */
  public void checkInode(ResolvedPath path, FsAction access) throws AccessControlException {
    if (!isDecided(path, WantedAccess.ofTarget(access)) && !passes() && path.exists()) {
      check(path, path.names().size(), access);
    }
  }

  /**
   * A directory may be counted. HDFS's rules are asked again for each directory below when the walk
   * comes there.
   */
  public void checkSubtree(ResolvedPath path) throws AccessControlException {
    FsAction access = FsAction.READ_EXECUTE;
    if (isDecided(path, WantedAccess.ofSubtree(access))
        || passes()
        || !(path.inode() instanceof DirectoryInode)) {
      return;
    }
    check(path, path.names().size(), access);
  }

  /** Also when dfs.permissions.enabled is false: who may change permissions is always checked. */
  public void checkOwner(ResolvedPath path) throws AccessControlException {
    if (path.exists()
        && !isDecided(path, WantedAccess.OWNER)
        && !caller.user().equals(path.existing().attributes().owner())
        && !caller.isSuperuser()) {
      throw new AccessControlException(
          "Permission denied. user=" + caller.user() + " is not the owner of inode=" + path);
    }
  }

  /**
   * @param name of the operation, as HDFS calls it
   * @param subject a path; null: none
   */
  public void checkSuperuser(String name, @Nullable String subject) throws AccessControlException {
    operation = name;
    if (enabled) {
      checkSuperuser(caller, operation, subject);
    }
  }

  /** The same for the method that was called. */
  public void checkSuperuser(ResolvedPath path) throws AccessControlException {
    if (enabled) {
      checkSuperuserAlways(path);
    }
  }

  /**
   * Whether a user is a superuser, or a class of the site takes the user for one.
   *
   * @param operation a method of a protocol, or what HDFS calls it
   * @param subject a path; null: none
   */
  public static void checkSuperuser(
      Caller caller, @Nullable String operation, @Nullable String subject)
      throws AccessControlException {
    ExternalAuthorizer authorizer = caller.authorizer();
    if (authorizer != null) {
      authorizer.checkSuperuser(OperationNames.of(operation), subject);
    } else if (!caller.isSuperuser()) {
      throw superuserRequired(caller.user(), operation);
    }
  }

  /** The same also when dfs.permissions.enabled is false. */
  public void checkSuperuserAlways(ResolvedPath path) throws AccessControlException {
    checkSuperuser(caller, operation, path.toString());
  }

  /**
   * Tells a class of the site that a superuser passes for being one. It may refuse.
   *
   * @param subject a {@link ResolvedPath}, or what HDFS names in its place
   */
  public void confirmSuperuser(Object subject) throws AccessControlException {
    if (enforcer != null && caller.isSuperuser()) {
      checkSuperuser(caller, operation, subject.toString());
    }
  }

  /**
   * Refuses for another reason than permissions, and tells a class of the site.
   *
   * @param subject a path, or what HDFS names in its place
   * @throws AccessControlException always
   */
  public AccessControlException deny(String subject, String text) throws AccessControlException {
    ExternalAuthorizer authorizer = caller.authorizer();
    if (authorizer != null) {
      authorizer.deny(operation, subject, text);
    }
    throw new AccessControlException(text);
  }

  /** An inode as the caller is to see it: with the attributes that a class of the site gives it. */
  public Inode shown(ResolvedPath path, Inode inode) {
    if (enforcer == null) {
      return inode;
    }
    int above = Math.min(path.inodes().size(), path.names().size());
    return inode.with(enforcer.attributes(path.names(), path.inodes().subList(0, above), inode));
  }

  /** The same of an entry of a directory. */
  public Inode shown(ResolvedPath directory, byte[] name, Inode inode) {
    if (enforcer == null) {
      return inode;
    }
    List<byte[]> names = new ArrayList<>(directory.names());
    names.add(name);
    return inode.with(enforcer.attributes(names, directory.inodes(), inode));
  }

  /**
   * Asks the class of the site, if there is one.
   *
   * @return false: HDFS's rules are to decide
   */
  private boolean isDecided(ResolvedPath path, WantedAccess wanted) throws AccessControlException {
    if (enforcer == null) {
      return false;
    }
    if (enabled || wanted.isOwner()) {
      if (caller.isSuperuser()) {
        checkSuperuser(caller, operation, path.toString());
      } else {
        enforcer.check(operation, path.names(), path.inodes(), wanted);
      }
    }
    return true;
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
    if (enforcer == null || !enabled) {
      checkByRules(directory, access);
      return;
    }
    if (paths == null) {
      paths = new PathsBelow(context);
    }
    ResolvedPath path = paths.of(directory);
    if (path == null) { // it was deleted a moment ago
      checkByRules(directory, access);
    } else if (caller.isSuperuser()) {
      checkSuperuser(caller, operation, path.toString());
    } else {
      enforcer.checkAlone(operation, path.names(), path.inodes(), access);
    }
  }

  private void checkByRules(DirectoryInode directory, FsAction access)
      throws AccessControlException {
    if (enabled && !caller.isSuperuser() && !rules.allows(directory.attributes(), access)) {
      throw rules.denied(directory, pathOf(directory), access);
    }
  }

  private void checkRemoveBelow(DirectoryInode top) throws AccessControlException {
    new Directories(context)
        .walkSubtree(
            top,
            (directory, child) -> {
              checkByRules(directory, FsAction.ALL);
              if (rules.violatesStickyBit(directory, child)) {
                rules.checkStickyBit(pathOf(directory), directory, pathOf(child), child);
              }
            });
  }

  /** Whether nothing is forbidden, whatever is asked. */
  public boolean passes() {
    return !enabled || enforcer == null && caller.isSuperuser();
  }

  private void check(ResolvedPath path, int index, FsAction access) throws AccessControlException {
    Inode inode = path.inodes().get(index);
    if (!rules.allows(inode.attributes(), access)) {
      throw rules.denied(inode, path.pathOf(index), access);
    }
  }

  private String pathOf(Inode inode) {
    return PathWalk.pathOf(context, inode.id());
  }
}
