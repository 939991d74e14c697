package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Acl;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.settings.FeatureSettings;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.AclUtil;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.ScopedAclEntries;
import org.apache.hadoop.hdfs.protocol.AclException;

/**
 * How an ACL and the permission bits of an inode are one: owner, mask and others stand in the bits.
 * Source: HDFS's AclStorage.
 */
public final class AclRules {
  private AclRules() {}

  /** What becomes of a whole ACL. */
  @FunctionalInterface
  interface Change {
    List<AclEntry> apply(List<AclEntry> acl) throws AclException;
  }

  static void checkEnabled(NamespaceSettings settings) throws AclException {
    FeatureSettings features = settings.features();
    if (!features.acls().enabled()) {
      throw new AclException(
          "The ACL operation has been rejected.  Support for ACLs has been disabled by setting"
              + " dfs.namenode.acls.enabled to false.");
    }
  }

  /**
   * Changes an inode's ACL; for its owner and superusers.
   *
   * @throws AclException with the path, when the new ACL would be none
   * @throws java.io.FileNotFoundException when there is nothing
   */
  static void change(Tree tree, String path, Change change) throws IOException {
    checkEnabled(tree.settings());
    ResolvedPath resolved = SetPermission.resolveWithoutReserved(tree, path);
    Inode inode = resolved.existing();
    try {
      tree.update(
          resolved, inode.with(with(inode, change.apply(whole(inode)), resolved.toString())));
    } catch (AclException e) {
      throw new AclException(e.getMessage() + " Path: " + resolved, e);
    }
  }

  /** All entries, with those that stand in the permission bits. */
  static List<AclEntry> whole(Inode inode) {
    Acl acl = inode.features().acl();
    FsPermission permission = inode.attributes().permission();
    List<AclEntry> whole = new ArrayList<>();
    if (acl.access().isEmpty()) {
      whole.addAll(AclUtil.getMinimalAcl(permission));
    } else {
      whole.add(access(AclEntryType.USER, permission.getUserAction()));
      whole.addAll(acl.access());
      whole.add(access(AclEntryType.MASK, permission.getGroupAction()));
      whole.add(access(AclEntryType.OTHER, permission.getOtherAction()));
    }
    whole.addAll(acl.defaults());
    return whole;
  }

  private static AclEntry access(AclEntryType type, FsAction permission) {
    return new AclEntry.Builder()
        .setScope(AclEntryScope.ACCESS)
        .setType(type)
        .setPermission(permission)
        .build();
  }

  private static Inode.Attributes with(Inode inode, List<AclEntry> whole, String path)
      throws AclException {
    ScopedAclEntries scoped = new ScopedAclEntries(whole);
    if (!scoped.getDefaultEntries().isEmpty() && !inode.isDirectory()) {
      throw new AclException("Invalid ACL: only directories may have a default ACL. Path: " + path);
    }
    return with(inode.attributes(), scoped.getAccessEntries(), scoped.getDefaultEntries());
  }

  /** Splits an access ACL into permission bits and the rest. */
  private static Inode.Attributes with(
      Inode.Attributes attributes, List<AclEntry> access, List<AclEntry> defaults) {
    int last = access.size() - 1;
    FsPermission permission =
        new FsPermission(
            access.get(0).getPermission(),
            access.get(last - 1).getPermission(),
            access.get(last).getPermission(),
            attributes.permission().getStickyBit());
    List<AclEntry> beyond = AclUtil.isMinimalAcl(access) ? List.of() : access.subList(1, last - 1);
    return attributes
        .withMode(permission.toShort())
        .withFeatures(attributes.features().withAcl(new Acl(beyond, defaults)));
  }

  /** An inode without ACL: the owning group gets back what its entry permits. */
  static Inode.Attributes without(Inode inode) {
    Inode.Attributes attributes = inode.attributes();
    FsPermission permission = attributes.permission();
    for (AclEntry entry : inode.features().acl().access()) {
      if (entry.getType() == AclEntryType.GROUP && entry.getName() == null) {
        permission =
            new FsPermission(
                permission.getUserAction(),
                entry.getPermission(),
                permission.getOtherAction(),
                permission.getStickyBit());
      }
    }
    return attributes
        .withMode(permission.toShort())
        .withFeatures(attributes.features().withAcl(Acl.NONE));
  }

  /**
   * What a new inode gets from the default ACL of its directory.
   *
   * @param mode as the client asked for it, with the unmasked mode where it sent one: a default ACL
   *     then takes the place of the umask, if dfs.namenode.posix.acl.inheritance.enabled
   */
  public static Inode.Attributes inherit(
      NamespaceSettings settings,
      DirectoryInode parent,
      FsPermission mode,
      boolean isDirectory,
      Inode.Attributes child) {
    List<AclEntry> defaults = parent.features().acl().defaults();
    if (defaults.isEmpty()) {
      return child;
    }
    boolean unmasked = settings.features().acls().posixInheritance() && mode.getUnmasked() != null;
    FsPermission wanted = unmasked ? mode.getUnmasked() : mode;
    List<AclEntry> access = new ArrayList<>();
    for (AclEntry entry : defaults) {
      access.add(
          new AclEntry.Builder()
              .setScope(AclEntryScope.ACCESS)
              .setType(entry.getType())
              .setName(entry.getName())
              .setPermission(
                  entry.getPermission().and(filter(entry, wanted, AclUtil.isMinimalAcl(defaults))))
              .build());
    }
    return with(child.withMode(wanted.toShort()), access, isDirectory ? defaults : List.of());
  }

  /** The mode limits owner, others, and the mask; the owning group only where there is no mask. */
  private static FsAction filter(AclEntry entry, FsPermission mode, boolean minimal) {
    return switch (entry.getType()) {
      case USER -> entry.getName() == null ? mode.getUserAction() : FsAction.ALL;
      case GROUP -> minimal ? mode.getGroupAction() : FsAction.ALL;
      case MASK -> mode.getGroupAction();
      case OTHER -> mode.getOtherAction();
    };
  }
}
