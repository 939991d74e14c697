package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsPermission;

/** The ACL of a path, without the entries that stand in its permission bits. */
public record GetAclStatus(String path) implements ReadOperation<AclStatus> {
  /**
   * @throws java.io.FileNotFoundException when there is nothing
   */
  @Override
  public AclStatus run(Tree tree) throws IOException {
    AclRules.checkEnabled(tree.settings());
    ResolvedPath resolved = tree.resolve(path, PathUse.READ);
    XAttrRules.requireExists(resolved);
    Inode.Attributes attributes =
        tree.permissions().shown(resolved, resolved.existing()).attributes();
    FsPermission permission = attributes.permission();
    return new AclStatus.Builder()
        .owner(attributes.owner())
        .group(attributes.group())
        .stickyBit(permission.getStickyBit())
        .setPermission(permission)
        .addEntries(attributes.features().acl().entries())
        .build();
  }
}
