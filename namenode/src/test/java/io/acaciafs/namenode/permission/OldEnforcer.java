package io.acaciafs.namenode.permission;

import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AccessControlEnforcer;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributes;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/** As those that were written before there were contexts: refuses what is called forbidden. */
class OldEnforcer implements AccessControlEnforcer {
  private final AccessControlEnforcer hdfs;

  OldEnforcer(AccessControlEnforcer hdfs) {
    this.hdfs = hdfs;
  }

  AccessControlEnforcer hdfs() {
    return hdfs;
  }

  @Override
  @SuppressWarnings("deprecation")
  public void checkPermission(
      String fsOwner,
      String supergroup,
      UserGroupInformation user,
      INodeAttributes[] attributes,
      INode[] inodes,
      byte[][] components,
      int snapshotId,
      String path,
      int ancestorIndex,
      boolean doCheckOwner,
      FsAction ancestorAccess,
      FsAction parentAccess,
      FsAction access,
      FsAction subAccess,
      boolean ignoreEmptyDir)
      throws AccessControlException {
    if (path.contains("forbidden") && access != null) {
      throw new AccessControlException("The old way forbids " + path);
    }
    hdfs.checkPermission(
        fsOwner,
        supergroup,
        user,
        attributes,
        inodes,
        components,
        snapshotId,
        path,
        ancestorIndex,
        doCheckOwner,
        ancestorAccess,
        parentAccess,
        access,
        subAccess,
        ignoreEmptyDir);
  }
}
