package io.acaciafs.namespace;

import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeCodec;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.LinkedList;
import java.util.List;

/**
 * An inode and its path as they were a moment ago, for reports that name many inodes: guarding all
 * of them would make such a report conflict with every writer.
 */
public record PeekedPath(String path, Inode inode) {

  static PeekedPath of(Reader reader, InodeCodec codec, long inodeId) {
    List<byte[]> names = new LinkedList<>();
    Inode inode = null;
    for (long id = inodeId; id != Root.ID; ) {
      byte[] row = reader.peek(NamespaceKeys.inode(id));
      if (row == null) {
        return null;
      }
      InodeLocation location = InodeLocation.decode(row);
      byte[] entry = reader.peek(NamespaceKeys.entry(location.directory(), 0, location.name()));
      Inode found = entry == null ? null : codec.decode(entry);
      if (found == null || found.id() != id) {
        return null;
      }
      inode = inode == null ? found : inode;
      names.add(0, location.name());
      id = location.directory().directoryId();
    }
    return new PeekedPath(PathNames.join(names, names.size()), inode);
  }
}
