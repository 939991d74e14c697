package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;

/** Takes the default ACL from a directory; the access ACL stays. */
public record RemoveDefaultAcl(String path) implements AtMostOnce.Done {
  @Override
  public Void run(Tree tree) throws IOException {
    AclRules.change(tree, path, AclEdit::removeDefaults);
    return null;
  }
}
