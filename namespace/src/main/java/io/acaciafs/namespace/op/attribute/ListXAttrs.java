package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.XAttr;

/** The extended attributes that the caller may see; {@link java.io.FileNotFoundException}. */
public record ListXAttrs(String path) implements ReadOperation<List<XAttr>> {
  @Override
  public List<XAttr> run(Tree tree) throws IOException {
    XAttrRules.checkEnabled(tree.settings().features());
    return XAttrRules.read(tree, path);
  }
}
