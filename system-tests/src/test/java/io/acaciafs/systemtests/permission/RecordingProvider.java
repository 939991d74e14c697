package io.acaciafs.systemtests.permission;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributes;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/** Runs in a NameNode: decides as HDFS, and writes down all that it is given, a line each. */
public final class RecordingProvider extends INodeAttributeProvider implements Configurable {
  /** A path; relative to where the NameNode was started. */
  static final String FILE_KEY = "acacia-tests.recorded.file";

  private Configuration conf;

  /** Where the class is, for the class path of a NameNode. */
  static String place() throws URISyntaxException {
    return Path.of(
            RecordingProvider.class.getProtectionDomain().getCodeSource().getLocation().toURI())
        .toString();
  }

  @Override
  public void setConf(Configuration newConf) {
    conf = newConf;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public void start() {
    write("start");
  }

  @Override
  public void stop() {
    write("stop");
  }

  private synchronized void write(String line) {
    try {
      Files.write(
          Path.of(conf.get(FILE_KEY)),
          List.of(line),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public INodeAttributes getAttributes(String[] elements, INodeAttributes inode) {
    write("attributes " + Arrays.toString(elements) + " " + picture(inode));
    return inode;
  }

  @Override
  public INodeAttributes getAttributes(byte[][] components, INodeAttributes inode) {
    write("attributes for a reply " + text(components) + " " + picture(inode));
    return inode;
  }

  private static String picture(INodeAttributes inode) {
    return inode == null
        ? "-"
        : DFSUtil.bytes2String(inode.getLocalNameBytes())
            + ":"
            + (inode.isDirectory() ? "d" : "-")
            + inode.getFsPermission()
            + ":"
            + inode.getUserName()
            + ":"
            + inode.getGroupName()
            + (inode.getAclFeature() == null ? "" : "+")
            + (inode.getXAttrFeature() == null
                ? ""
                : inode.getXAttrFeature().getXAttrs().toString());
  }

  /** What a plug-in asks an inode, besides attributes. */
  private static String place(INode inode) {
    if (inode == null) {
      return "-";
    }
    INodeDirectory parent = inode.getParent();
    return inode.getFullPathName()
        + (inode.isDirectory() ? " d" : "")
        + (inode.isFile() ? " f" : "")
        + " in "
        + (parent == null ? "-" : parent.getFullPathName())
        + (inode.isDirectory() ? " " + children(inode.asDirectory()) : "");
  }

  private static List<String> children(INodeDirectory directory) {
    return StreamSupport.stream(
            directory.getChildrenList(Snapshot.CURRENT_STATE_ID).spliterator(), false)
        .map(INode::getLocalName)
        .toList();
  }

  private static String text(byte[][] components) {
    return Arrays.stream(components)
        .map(component -> component == null ? "null" : "'" + DFSUtil.bytes2String(component) + "'")
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Override
  public AccessControlEnforcer getExternalAccessControlEnforcer(AccessControlEnforcer hdfs) {
    return new Enforcer(hdfs);
  }

  private final class Enforcer implements AccessControlEnforcer {
    private final AccessControlEnforcer hdfs;

    private Enforcer(AccessControlEnforcer hdfs) {
      this.hdfs = hdfs;
    }

    @Override
    @SuppressWarnings("deprecation") // Hadoop's
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
        boolean ignoreEmptyDir) {
      write("the old way " + path);
    }

    @Override
    public void checkPermissionWithContext(AuthorizationContext wanted)
        throws AccessControlException {
      write(
          String.join(
              " | ",
              "check " + caller(wanted),
              "path " + wanted.getPath(),
              "ancestor " + wanted.getAncestorIndex() + " " + wanted.getAncestorAccess(),
              "owner " + wanted.isDoCheckOwner(),
              "parent " + wanted.getParentAccess(),
              "access " + wanted.getAccess(),
              "below " + wanted.getSubAccess() + " " + wanted.isIgnoreEmptyDir(),
              "snapshot " + (wanted.getSnapshotId() != Snapshot.CURRENT_STATE_ID),
              "components " + text(wanted.getPathByNameArr()),
              "attributes "
                  + Arrays.stream(wanted.getInodeAttrs()).map(RecordingProvider::picture).toList(),
              "inodes "
                  + Arrays.stream(wanted.getInodes()).map(RecordingProvider::place).toList()));
      hdfs.checkPermissionWithContext(wanted);
    }

    @Override
    public void checkSuperUserPermissionWithContext(AuthorizationContext wanted)
        throws AccessControlException {
      write("superuser " + caller(wanted) + " | path " + wanted.getPath());
      hdfs.checkSuperUserPermissionWithContext(wanted);
    }

    private String caller(AuthorizationContext wanted) {
      return wanted.getOperationName()
          + " | user "
          + wanted.getCallerUgi()
          + " of "
          + wanted.getFsOwner()
          + " and "
          + wanted.getSupergroup()
          + " from "
          + Server.getRemoteAddress()
          + " in "
          + wanted.getCallerContext();
    }
  }
}
