package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.BucketsAttribute;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;

/**
 * Gives an inode an extended attribute, or one that it has another value. One of them says how many
 * buckets a directory has: {@link BucketRules}.
 *
 * @param flags CREATE: it is new; REPLACE: it is there; both: either
 */
public record SetXAttr(String path, XAttr xattr, EnumSet<XAttrSetFlag> flags)
    implements AtMostOnce.Done {
  /**
   * @throws java.io.FileNotFoundException when there is nothing
   * @throws IOException when the flags do not allow it, or there are too many
   * @throws org.apache.hadoop.HadoopIllegalArgumentException when it is too large, or no number of
   *     buckets
   */
  @Override
  public Void run(Tree tree) throws IOException {
    XAttrRules.checkEnabled(tree.settings().features());
    XAttrRules.checkSize(tree.settings().features(), xattr);
    ResolvedPath resolved = XAttrRules.resolveForChange(tree, path, xattr);
    boolean isOfBuckets = BucketsAttribute.isMeant(xattr);
    XAttr kept = isOfBuckets ? BucketRules.normalized(xattr) : xattr;
    Inode inode = resolved.existing();
    List<XAttr> all = XAttrRules.with(tree.settings().features(), inode, kept, flags);
    Inode changed = inode.with(inode.features().withXAttrs(all));
    if (isOfBuckets) {
      BucketRules.update(tree, resolved, changed, kept);
    } else {
      tree.update(resolved, changed);
    }
    return null;
  }
}
