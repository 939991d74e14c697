package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.permission.AclEntry;

/**
 * Replaces an inode's access ACL, its default ACL, or both.
 *
 * @param entries none: the ACL is removed
 */
public record SetAcl(String path, List<AclEntry> entries) implements AtMostOnce.Done {
  @Override
  public Void run(Tree tree) throws IOException {
    if (entries.isEmpty()) {
      return new RemoveAcl(path).run(tree);
    }
    AclRules.change(tree, path, acl -> AclEdit.replace(acl, entries));
    return null;
  }
}
