package io.acaciafs.namenode.permission;

import java.util.List;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.namenode.AclEntryStatusFormat;
import org.apache.hadoop.hdfs.server.namenode.AclFeature;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributes;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;

/** Attributes in the place of an inode's own. */
record MadeUpAttributes(
    INodeAttributes inode,
    String owner,
    String group,
    short mode,
    List<AclEntry> acl,
    List<XAttr> xattrs)
    implements INodeAttributes {
  @Override
  public boolean isDirectory() {
    return inode.isDirectory();
  }

  @Override
  public byte[] getLocalNameBytes() {
    return inode.getLocalNameBytes();
  }

  @Override
  public String getUserName() {
    return owner;
  }

  @Override
  public String getGroupName() {
    return group;
  }

  @Override
  public FsPermission getFsPermission() {
    return new FsPermission(mode);
  }

  @Override
  public short getFsPermissionShort() {
    return mode;
  }

  @Override
  public long getPermissionLong() {
    return mode;
  }

  @Override
  public AclFeature getAclFeature() {
    return acl.isEmpty() ? null : new AclFeature(AclEntryStatusFormat.toInt(acl));
  }

  @Override
  public XAttrFeature getXAttrFeature() {
    return xattrs.isEmpty() ? null : new XAttrFeature(xattrs);
  }

  @Override
  public long getModificationTime() {
    return 1; // not to be seen
  }

  @Override
  public long getAccessTime() {
    return 1;
  }
}
