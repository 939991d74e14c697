package io.acaciafs.namenode.permission;

import io.acaciafs.namespace.context.AccessEnforcer;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.context.WantedAccess;
import io.acaciafs.namespace.record.Inode;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AccessControlEnforcer;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AuthorizationContext;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributes;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the site's class in one attempt of an operation, with what Hadoop's NameNode would give it:
 * arrays with the root first, one place for each component of the path, null where there is no
 * inode. Source: HDFS 3.5's FSPermissionChecker and FSDirectory.getAttributes.
 */
final class ProvidedEnforcer implements AccessEnforcer {
  /** Before the name of a path's first component. */
  private static final byte[] ROOT_NAME = {};

  private final CallAuthorizer call;
  private final HadoopInodes hadoop;

  /** Null until it is asked. */
  private @Nullable AccessControlEnforcer enforcer;

  ProvidedEnforcer(CallAuthorizer call, OperationContext context) {
    this.call = call;
    this.hadoop = new HadoopInodes(context);
  }

  @Override
  public void check(
      @Nullable String operation, List<byte[]> names, List<Inode> inodes, WantedAccess wanted)
      throws AccessControlException {
    byte[][] components = components(names);
    INode[] chain = Arrays.copyOf(hadoop.chain(names, inodes), components.length);
    AuthorizationContext context =
        call.context(operation, DFSUtil.byteArray2PathString(components))
            .inodeAttrs(attributes(components, chain))
            .inodes(chain)
            .pathByNameArr(components)
            .snapshotId(Snapshot.CURRENT_STATE_ID)
            .ancestorIndex(chain.length - 2)
            .doCheckOwner(wanted.isOwner())
            .ancestorAccess(wanted.ancestor())
            .parentAccess(wanted.parent())
            .access(wanted.target())
            .subAccess(wanted.subtree())
            .ignoreEmptyDir(wanted.passesEmpty())
            .build();
    try {
      ask(context);
    } catch (AccessControlException e) {
      // clients know no class but this
      throw e.getClass() == AccessControlException.class || isAboutTheWay(e)
          ? e
          : new AccessControlException(e);
    }
  }

  /** Whether Hadoop's rules found what is no refusal, and pass it as one. */
  private static boolean isAboutTheWay(AccessControlException thrown) {
    return thrown.getCause() instanceof ParentNotDirectoryException
        || thrown.getCause() instanceof UnresolvedLinkException;
  }

  @Override
  public void checkAlone(
      @Nullable String operation, List<byte[]> names, List<Inode> inodes, FsAction access)
      throws AccessControlException {
    INode[] chain = hadoop.chain(names, inodes);
    INode inode = chain[chain.length - 1];
    byte[][] components = inode.getPathComponents();
    INodeAttributes attributes =
        call.scope().run(() -> attributes(components, chain.length - 1, inode));
    AuthorizationContext context =
        call.context(operation, null)
            .inodeAttrs(new INodeAttributes[] {attributes})
            .inodes(new INode[] {inode})
            .pathByNameArr(components)
            .snapshotId(Snapshot.CURRENT_STATE_ID)
            .ancestorIndex(-1)
            .access(access)
            .build();
    try {
      ask(context);
    } catch (AccessControlException e) {
      throw new AccessControlException(
          "Permission denied: user="
              + context.getCallerUgi().getShortUserName()
              + ", access="
              + access
              + ", inode=\""
              + inode.getFullPathName()
              + "\":"
              + attributes.getUserName()
              + ":"
              + attributes.getGroupName()
              + ":d"
              + attributes.getFsPermission());
    }
  }

  @SuppressWarnings("deprecation") // the older method, for classes that have no other
  private void ask(AuthorizationContext wanted) throws AccessControlException {
    AccessControlEnforcer asked = enforcer == null ? call.newEnforcer() : enforcer;
    enforcer = asked;
    call.ask(
        wanted,
        call.takesContext() && wanted.getOperationName() != null
            ? () -> asked.checkPermissionWithContext(wanted)
            : () ->
                asked.checkPermission(
                    wanted.getFsOwner(),
                    wanted.getSupergroup(),
                    wanted.getCallerUgi(),
                    wanted.getInodeAttrs(),
                    wanted.getInodes(),
                    wanted.getPathByNameArr(),
                    wanted.getSnapshotId(),
                    wanted.getPath(),
                    wanted.getAncestorIndex(),
                    wanted.isDoCheckOwner(),
                    wanted.getAncestorAccess(),
                    wanted.getParentAccess(),
                    wanted.getAccess(),
                    wanted.getSubAccess(),
                    wanted.isIgnoreEmptyDir()));
  }

  @Override
  public Inode.Attributes attributes(List<byte[]> names, List<Inode> above, Inode inode) {
    INodeDirectory parent = above.isEmpty() ? null : hadoop.parent(names, above);
    INode stored = hadoop.of(names.isEmpty() ? ROOT_NAME : last(names), inode, parent);
    byte[][] components = names.toArray(byte[][]::new); // without the root, unlike in checks
    INodeAttributes shown =
        call.scope().run(() -> call.provider().getAttributes(components, stored));
    return shown == stored
        ? inode.attributes()
        : HadoopInodes.attributes(shown, inode.attributes());
  }

  private static byte[] last(List<byte[]> names) {
    return names.get(names.size() - 1);
  }

  private INodeAttributes[] attributes(byte[][] components, INode[] chain) {
    return call.scope()
        .run(
            () -> {
              INodeAttributes[] attributes = new INodeAttributes[chain.length];
              for (int i = 0; i < chain.length && chain[i] != null; i++) {
                attributes[i] = attributes(components, i, chain[i]);
              }
              return attributes;
            });
  }

  private INodeAttributes attributes(byte[][] components, int index, INode inode) {
    String[] elements = new String[index + 1];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = components[i] == null ? "" : DFSUtil.bytes2String(components[i]);
    }
    return call.provider().getAttributes(elements, inode);
  }

  /** As Hadoop's {@code INode.getPathComponents} splits a path. */
  private static byte[][] components(List<byte[]> names) {
    byte[][] components = new byte[names.size() + 1][];
    if (!names.isEmpty()) { // the root's is null
      components[0] = ROOT_NAME;
      for (int i = 0; i < names.size(); i++) {
        components[i + 1] = names.get(i);
      }
    }
    return components;
  }
}
