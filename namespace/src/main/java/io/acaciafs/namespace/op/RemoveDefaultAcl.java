package io.acaciafs.namespace.op;

import io.acaciafs.namespace.AtMostOnce;
import io.acaciafs.namespace.Tree;
import java.io.IOException;

/** Takes the default ACL from a directory; the access ACL stays. */
public record RemoveDefaultAcl(String path) implements AtMostOnce.Done {
  @Override
  public Void run(Tree tree) throws IOException {
    AclRules.change(tree, path, AclEdit::removeDefaults);
    return null;
  }
}
