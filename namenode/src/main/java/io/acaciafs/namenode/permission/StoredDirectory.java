package io.acaciafs.namenode.permission;

import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.directory.Directories;
import io.acaciafs.namespace.directory.NamedInode;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.hadoop.hdfs.server.namenode.AclFeature;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.jspecify.annotations.Nullable;

/**
 * A directory whose entries are read from the store whenever somebody looks at them, in pages, with
 * the transaction of the operation. Used by one thread, in one attempt.
 */
final class StoredDirectory extends INodeDirectory {
  private static final int PAGE_ENTRIES = 1_024;
  private static final byte[] NO_NAME = {};

  private final DirectoryInode stored;
  private final OperationContext context;
  private final HadoopInodes hadoop;

  StoredDirectory(
      byte[] name, DirectoryInode stored, OperationContext context, HadoopInodes hadoop) {
    super(
        stored.id(),
        name,
        HadoopInodes.status(stored.attributes()),
        stored.attributes().modificationTimeMs());
    this.stored = stored;
    this.context = context;
    this.hadoop = hadoop;
    AclFeature acl = HadoopInodes.acl(stored.features().acl());
    if (acl != null) {
      addFeature(acl);
    }
    if (!stored.features().xattrs().isEmpty()) {
      addXAttrFeature(new XAttrFeature(stored.features().xattrs()));
    }
  }

  @Override
  public @Nullable INode getChild(byte[] name, int snapshotId) {
    Inode child = context.child(stored, name);
    return child == null ? null : hadoop.of(name, child, this);
  }

  @Override
  public ReadOnlyList<INode> getChildrenList(int snapshotId) {
    return new Entries();
  }

  private List<NamedInode> pageBehind(byte[] name) {
    Directories directories = new Directories(context);
    List<NamedInode> page = new ArrayList<>();
    directories.forEachChild(
        directories.asItIs(stored),
        name,
        entry -> {
          page.add(entry);
          return page.size() < PAGE_ENTRIES;
        });
    return page;
  }

  /** Holds a page at a time. */
  private final class Entries implements ReadOnlyList<INode> {
    @Override
    public boolean isEmpty() {
      return !iterator().hasNext();
    }

    @Override
    public int size() {
      int size = 0;
      for (INode ignored : this) {
        size++;
      }
      return size;
    }

    @Override
    public INode get(int index) {
      int left = index;
      for (INode entry : this) {
        if (left-- == 0) {
          return entry;
        }
      }
      throw new IndexOutOfBoundsException(index);
    }

    @Override
    public Iterator<INode> iterator() {
      return new Pages();
    }
  }

  private final class Pages implements Iterator<INode> {
    private List<NamedInode> page = pageBehind(NO_NAME);
    private int next;

    @Override
    public boolean hasNext() {
      if (next == page.size() && next == PAGE_ENTRIES) {
        page = pageBehind(page.get(next - 1).name());
        next = 0;
      }
      return next < page.size();
    }

    @Override
    public INode next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      NamedInode entry = page.get(next++);
      return hadoop.of(entry.name(), entry.inode(), StoredDirectory.this);
    }
  }
}
