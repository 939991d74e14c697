package io.acaciafs.namespace.op;

import io.acaciafs.namespace.PathUse;
import io.acaciafs.namespace.ReadOperation;
import io.acaciafs.namespace.ResolvedPath;
import io.acaciafs.namespace.Tree;
import io.acaciafs.namespace.record.Inode;
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
    Inode.Attributes attributes = resolved.inode().attributes();
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
