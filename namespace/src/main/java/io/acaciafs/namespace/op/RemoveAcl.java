package io.acaciafs.namespace.op;

import io.acaciafs.namespace.AtMostOnce;
import io.acaciafs.namespace.ResolvedPath;
import io.acaciafs.namespace.Tree;
import java.io.IOException;

/** Takes the whole ACL from an inode: what remains are the permission bits. */
public record RemoveAcl(String path) implements AtMostOnce.Done {
  @Override
  public Void run(Tree tree) throws IOException {
    AclRules.checkEnabled(tree.settings());
    ResolvedPath resolved = SetPermission.resolveWithoutReserved(tree, path);
    tree.update(resolved, resolved.inode().with(AclRules.without(resolved.inode())));
    return null;
  }
}
