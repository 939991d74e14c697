package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.protocol.XAttrNotFoundException;

/**
 * Extended attributes by name, in the order asked for.
 *
 * @param wanted empty: all that the caller may see
 */
public record GetXAttrs(String path, List<XAttr> wanted) implements ReadOperation<List<XAttr>> {
  /**
   * @throws java.io.FileNotFoundException when there is nothing
   * @throws XAttrNotFoundException when the inode does not have all of them
   * @throws org.apache.hadoop.security.AccessControlException when the caller may not see one
   */
  @Override
  public List<XAttr> run(Tree tree) throws IOException {
    XAttrRules.checkEnabled(tree.settings().features());
    for (XAttr xattr : wanted) {
      XAttrRules.checkMayUse(tree, xattr, XAttrRules.isRaw(path));
    }
    List<XAttr> visible = XAttrRules.read(tree, path);
    if (wanted.isEmpty()) {
      return visible;
    }
    List<XAttr> found = new ArrayList<>();
    for (XAttr xattr : wanted) {
      found.add(
          visible.stream()
              .filter(xattr::equalsIgnoreValue)
              .findFirst()
              .orElseThrow(XAttrNotFoundException::new));
    }
    return found;
  }
}
