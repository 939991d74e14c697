package io.acaciafs.namenode.permission;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributes;
import org.apache.hadoop.security.AccessControlException;

/** A site's class for tests in one process: a test says what it decides. */
public final class SiteProvider extends INodeAttributeProvider {
  /** Starts and stops. */
  static final List<String> EVENTS = new CopyOnWriteArrayList<>();

  private static volatile Rules rules = new Rules();

  /** What it decides; as HDFS, unless overridden. */
  static class Rules {
    /**
     * @param path without the first slash
     */
    INodeAttributes attributes(String path, INodeAttributes inode) {
      return inode;
    }

    void check(AuthorizationContext wanted, AccessControlEnforcer hdfs)
        throws AccessControlException {
      hdfs.checkPermissionWithContext(wanted);
    }

    void checkSuperuser(AuthorizationContext wanted, AccessControlEnforcer hdfs)
        throws AccessControlException {
      hdfs.checkSuperUserPermissionWithContext(wanted);
    }

    void denied(AuthorizationContext wanted, String text) {}
  }

  static void follow(Rules newRules) {
    rules = newRules;
  }

  @Override
  public void start() {
    EVENTS.add("start");
  }

  @Override
  public void stop() {
    EVENTS.add("stop");
  }

  @Override
  public INodeAttributes getAttributes(String[] elements, INodeAttributes inode) {
    String path = String.join("/", elements);
    return rules.attributes(path.startsWith("/") ? path.substring(1) : path, inode);
  }

  @Override
  public INodeAttributes getAttributes(byte[][] components, INodeAttributes inode) {
    String[] elements = new String[components.length];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = DFSUtil.bytes2String(components[i]);
    }
    return getAttributes(elements, inode);
  }

  @Override
  public AccessControlEnforcer getExternalAccessControlEnforcer(AccessControlEnforcer hdfs) {
    return new Enforcer(hdfs);
  }

  private static final class Enforcer extends OldEnforcer {
    private Enforcer(AccessControlEnforcer hdfs) {
      super(hdfs);
    }

    @Override
    public void checkPermissionWithContext(AuthorizationContext wanted)
        throws AccessControlException {
      rules.check(wanted, hdfs());
    }

    @Override
    public void checkSuperUserPermissionWithContext(AuthorizationContext wanted)
        throws AccessControlException {
      rules.checkSuperuser(wanted, hdfs());
    }

    @Override
    public void denyUserAccess(AuthorizationContext wanted, String text)
        throws AccessControlException {
      rules.denied(wanted, text);
      throw new AccessControlException(text);
    }
  }
}
