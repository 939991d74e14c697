package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.permission.AclEntry;

/** Takes entries out of an ACL; what they permit does not matter. */
public record RemoveAclEntries(String path, List<AclEntry> entries) implements AtMostOnce.Done {
  @Override
  public Void run(Tree tree) throws IOException {
    AclRules.change(tree, path, acl -> AclEdit.remove(acl, entries));
    return null;
  }
}
