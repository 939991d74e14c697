package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;

/** Takes the whole ACL from an inode: what remains are the permission bits. */
public record RemoveAcl(String path) implements AtMostOnce.Done {
  @Override
  public Void run(Tree tree) throws IOException {
    AclRules.checkEnabled(tree.settings());
    ResolvedPath resolved = SetPermission.resolveWithoutReserved(tree, path);
    tree.update(resolved, resolved.existing().with(AclRules.without(resolved.existing())));
    return null;
  }
}
