package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.permission.AclEntry;

/** Adds entries to an ACL and replaces those that it has; the mask follows unless one is given. */
public record ModifyAclEntries(String path, List<AclEntry> entries) implements AtMostOnce.Done {
  @Override
  public Void run(Tree tree) throws IOException {
    AclRules.change(tree, path, acl -> AclEdit.merge(acl, entries));
    return null;
  }
}
