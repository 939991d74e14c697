package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.BucketsAttribute;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.XAttr;

/** Takes an extended attribute away; only name space and name of {@code xattr} count. */
public record RemoveXAttr(String path, XAttr xattr) implements AtMostOnce.Done {
  /**
   * @throws java.io.FileNotFoundException when there is nothing
   * @throws IOException when the inode does not have it
   */
  @Override
  public Void run(Tree tree) throws IOException {
    ResolvedPath resolved = XAttrRules.resolveForChange(tree, path, xattr);
    Inode inode = resolved.existing();
    List<XAttr> left = XAttrRules.without(inode, xattr);
    if (!inode.features().xattrs().isEmpty()) {
      XAttrRules.checkMayRemove(xattr);
    }
    if (left.size() == inode.features().xattrs().size()) {
      throw new IOException("No matching attributes found for remove operation");
    }
    Inode changed = inode.with(inode.features().withXAttrs(left));
    if (BucketsAttribute.isMeant(xattr) && inode.isDirectory()) {
      BucketRules.update(tree, resolved, changed, null);
    } else {
      tree.update(resolved, changed);
    }
    return null;
  }
}
