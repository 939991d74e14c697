package io.acaciafs.namespace.op.policy;

import io.acaciafs.namespace.op.attribute.XAttrRules;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;

/** Gives a directory an erasure coding policy, which new files below it get. */
public record SetErasureCodingPolicy(String path, String policyName) implements AtMostOnce.Done {
  /**
   * @throws UnsupportedOperationException when the policy is another one than plain replication
   * @throws org.apache.hadoop.HadoopIllegalArgumentException when there is no such policy
   * @throws FileNotFoundException when there is nothing
   * @throws IOException when it is no directory
   */
  @Override
  public Void run(Tree tree) throws IOException {
    ErasureCodingPolicy policy = ErasureCodingRules.usable(policyName);
    ResolvedPath resolved = tree.resolve(path, PathUse.WRITE_LINK);
    tree.permissions().checkInode(resolved, FsAction.WRITE);
    Inode inode = requireExists(resolved);
    if (!inode.isDirectory()) {
      throw new IOException("Attempt to set an erasure coding policy for a file " + resolved);
    }
    List<XAttr> all =
        XAttrRules.with(
            tree.settings().features(),
            inode,
            ErasureCodingRules.attribute(policy),
            EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    tree.update(resolved, inode.with(inode.features().withXAttrs(all)));
    return null;
  }

  static Inode requireExists(ResolvedPath path) throws FileNotFoundException {
    if (!path.exists()) {
      throw new FileNotFoundException("Path not found: " + path);
    }
    return path.existing();
  }
}
