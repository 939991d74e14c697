package io.acaciafs.namespace.op.policy;

import io.acaciafs.namespace.op.attribute.XAttrRules;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.NoECPolicySetException;

/** Takes the erasure coding policy away that a directory has of its own. */
public record UnsetErasureCodingPolicy(String path) implements AtMostOnce.Done {
  /**
   * @throws NoECPolicySetException when the directory has none of its own
   * @throws java.io.FileNotFoundException when there is nothing
   * @throws IOException when it is no directory
   */
  @Override
  public Void run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, PathUse.WRITE_LINK);
    tree.permissions().checkInode(resolved, FsAction.WRITE);
    Inode inode = SetErasureCodingPolicy.requireExists(resolved);
    if (!inode.isDirectory()) {
      throw new IOException("Cannot unset an erasure coding policy on a file " + resolved);
    }
    XAttr own = ErasureCodingRules.ownAttribute(inode);
    if (own == null) {
      throw new NoECPolicySetException("No erasure coding policy explicitly set on " + resolved);
    }
    tree.update(resolved, inode.with(inode.features().withXAttrs(XAttrRules.without(inode, own))));
    return null;
  }
}
