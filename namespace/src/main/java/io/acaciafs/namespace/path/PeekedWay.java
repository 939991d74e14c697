package io.acaciafs.namespace.path;

import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.context.EntryRows;
import io.acaciafs.namespace.context.Root;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.codec.InodeCodec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The way from the root to an inode, as it was a moment ago: guards nothing.
 *
 * @param names one for each inode but the root
 * @param inodes the root first
 */
record PeekedWay(List<byte[]> names, List<Inode> inodes) {

  /** Null where there is no such inode any more. */
  static @Nullable PeekedWay to(long inodeId, Reader reader, InodeCodec codec) {
    Deque<InodeLocation> downwards = new ArrayDeque<>();
    Set<Long> seen = new HashSet<>(); // a loop is made of rows of different moments
    for (long id = inodeId; id != Root.ID; ) {
      byte[] row = reader.get(NamespaceKeys.inode(id));
      if (row == null || !seen.add(id)) {
        return null;
      }
      InodeLocation location = InodeLocation.decode(row);
      downwards.push(location);
      id = location.directory().directoryId();
    }
    byte[] root = reader.get(Root.KEY);
    return root == null ? null : descend(codec.decode(root), downwards, inodeId, reader, codec);
  }

  private static @Nullable PeekedWay descend(
      Inode root, Deque<InodeLocation> downwards, long inodeId, Reader reader, InodeCodec codec) {
    List<byte[]> names = new ArrayList<>();
    List<Inode> inodes = new ArrayList<>();
    Inode inode = root;
    inodes.add(root);
    for (InodeLocation location : downwards) {
      byte[] row =
          inode instanceof DirectoryInode directory
                  && directory.locator().equals(location.directory())
              ? EntryRows.read(reader, directory, location.name())
              : null;
      if (row == null) {
        return null;
      }
      inode = codec.decode(row);
      names.add(location.name());
      inodes.add(inode);
    }
    return inode.id() == inodeId ? new PeekedWay(names, inodes) : null;
  }

  Inode inode() {
    return inodes.get(inodes.size() - 1);
  }
}
