package io.acaciafs.namenode.permission;

import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.record.Acl;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.AclEntryStatusFormat;
import org.apache.hadoop.hdfs.server.namenode.AclFeature;
import org.apache.hadoop.hdfs.server.namenode.AclStorage;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributes;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.apache.hadoop.hdfs.server.namenode.XAttrStorage;
import org.jspecify.annotations.Nullable;

/**
 * Stored inodes as Hadoop's classes, each with those above it, and attributes back. A file has no
 * blocks here, and a symbolic link is a file, as nobody can make Hadoop's class for it. A
 * directory's modification time is without what happened in it. Used by one thread, in one attempt.
 */
final class HadoopInodes {
  private static final byte[] ROOT_NAME = {};

  private final OperationContext context;

  /** An operation looks at the same few paths again and again. */
  private @Nullable List<Inode> lastInodes;

  private INode[] lastChain = {};

  HadoopInodes(OperationContext context) {
    this.context = context;
  }

  /**
   * @param inodes from the root on, at least the root
   * @return as many
   */
  INode[] chain(List<byte[]> names, List<Inode> inodes) {
    if (inodes != lastInodes) {
      INode[] chain = new INode[inodes.size()];
      INodeDirectory parent = null;
      for (int i = 0; i < chain.length; i++) {
        chain[i] = of(i == 0 ? ROOT_NAME : names.get(i - 1), inodes.get(i), parent);
        parent = chain[i].isDirectory() ? chain[i].asDirectory() : null;
      }
      lastInodes = inodes;
      lastChain = chain;
    }
    return lastChain;
  }

  /**
   * The directory that the last of some inodes is.
   *
   * @return null where it is not the one that the last name is in
   */
  @Nullable INodeDirectory parent(List<byte[]> names, List<Inode> above) {
    if (above.size() < names.size()) {
      return null;
    }
    INode[] chain = chain(names, above);
    INode last = chain[chain.length - 1];
    return last.isDirectory() ? last.asDirectory() : null;
  }

  INode of(byte[] name, Inode inode, @Nullable INodeDirectory parent) {
    INode made =
        inode instanceof DirectoryInode directory
            ? new StoredDirectory(name, directory, context, this)
            : new StoredFile(name, inode);
    if (parent != null) {
      made.setParent(parent);
    }
    return made;
  }

  private static final class StoredFile extends INodeFile {
    private StoredFile(byte[] name, Inode inode) {
      super(
          inode.id(),
          name,
          status(inode.attributes()),
          inode.attributes().modificationTimeMs(),
          inode.attributes().accessTimeMs(),
          BlockInfo.EMPTY_ARRAY,
          inode instanceof FileInode file ? file.replication() : (short) 0,
          inode instanceof FileInode file ? file.preferredBlockSizeBytes() : 0);
      AclFeature acl = acl(inode.features().acl());
      if (acl != null) {
        addFeature(acl);
      }
      if (!inode.features().xattrs().isEmpty()) {
        addXAttrFeature(new XAttrFeature(inode.features().xattrs()));
      }
    }
  }

  static PermissionStatus status(Inode.Attributes attributes) {
    return new PermissionStatus(attributes.owner(), attributes.group(), attributes.permission());
  }

  static @Nullable AclFeature acl(Acl acl) {
    return acl.isEmpty() ? null : new AclFeature(AclEntryStatusFormat.toInt(acl.entries()));
  }

  /**
   * Owner, group, mode, ACL and extended attributes as the site's class gave them, the rest as
   * stored.
   */
  static Inode.Attributes attributes(INodeAttributes shown, Inode.Attributes stored) {
    List<AclEntry> access = new ArrayList<>();
    List<AclEntry> defaults = new ArrayList<>();
    for (AclEntry entry : AclStorage.readINodeAcl(shown)) {
      (entry.getScope() == AclEntryScope.DEFAULT ? defaults : access).add(entry);
    }
    return new Inode.Attributes(
        shown.getUserName(),
        shown.getGroupName(),
        shown.getFsPermission().toShort(),
        stored.modificationTimeMs(),
        stored.accessTimeMs(),
        stored
            .features()
            .withAcl(new Acl(access, defaults))
            .withXAttrs(XAttrStorage.readINodeXAttrs(shown)));
  }
}
