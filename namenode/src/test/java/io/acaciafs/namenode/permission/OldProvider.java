package io.acaciafs.namenode.permission;

import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributes;

/** A site's class that knows only the older of two methods. */
public final class OldProvider extends INodeAttributeProvider {
  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public INodeAttributes getAttributes(String[] elements, INodeAttributes inode) {
    return inode;
  }

  @Override
  public AccessControlEnforcer getExternalAccessControlEnforcer(AccessControlEnforcer hdfs) {
    return new OldEnforcer(hdfs);
  }
}
