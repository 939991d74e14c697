package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Gives an inode to another user or group. Only superusers give away; the owner may choose among
 * the groups that he is in.
 *
 * @param user null: stays
 * @param group null: stays
 */
public record SetOwner(String path, @Nullable String user, @Nullable String group)
    implements AtMostOnce.Done {
  @Override
  public Void run(Tree tree) throws IOException {
    ResolvedPath resolved = SetPermission.resolveForOwner(tree, path);
    checkMayGive(tree, resolved);
    Inode inode = resolved.existing();
    Inode.Attributes attributes = inode.attributes();
    if (user != null) {
      attributes = attributes.withOwner(user);
    }
    if (group != null) {
      attributes = attributes.withGroup(group);
    }
    tree.update(resolved, inode.with(attributes));
    return null;
  }

  private void checkMayGive(Tree tree, ResolvedPath path) throws AccessControlException {
    Caller caller = tree.caller();
    if (caller.isSuperuser() && caller.authorizer() == null) {
      return; // without a look at groups
    }
    boolean givesAway = user != null && !caller.user().equals(user);
    if (!givesAway && (group == null || caller.isMemberOf(group))) {
      return;
    }
    try {
      tree.permissions().checkSuperuserAlways(path);
    } catch (AccessControlException e) {
      throw new AccessControlException(
          givesAway
              ? "User "
                  + caller.user()
                  + " is not a super user (non-super user cannot change owner)."
              : "User " + caller.user() + " does not belong to " + group);
    }
  }
}
