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
    if (!tree.caller().isSuperuser()) {
      checkMayGive(tree.caller());
    }
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

  private void checkMayGive(Caller caller) throws AccessControlException {
    if (user != null && !caller.user().equals(user)) {
      throw new AccessControlException(
          "User " + caller.user() + " is not a super user (non-super user cannot change owner).");
    }
    if (group != null && !caller.isMemberOf(group)) {
      throw new AccessControlException("User " + caller.user() + " does not belong to " + group);
    }
  }
}
