package io.acaciafs.fsimage;

import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INodeId;

/** Paths of inodes in a store that nobody changes. Stateless. */
record InodePaths(Reader store) {

  /**
   * @throws IOException when the inode is in no directory: the store is damaged
   */
  String pathOf(long inodeId) throws IOException {
    StringBuilder path = new StringBuilder();
    Set<Long> seen = new HashSet<>();
    for (long id = inodeId; id != INodeId.ROOT_INODE_ID; ) {
      byte[] row = store.get(NamespaceKeys.inode(id));
      if (row == null || !seen.add(id)) {
        throw new IOException("The store is damaged: inode " + id + " is in no directory");
      }
      InodeLocation location = InodeLocation.decode(row);
      path.insert(0, "/" + new String(location.name(), StandardCharsets.UTF_8));
      id = location.directory().directoryId();
    }
    return path.toString();
  }
}
