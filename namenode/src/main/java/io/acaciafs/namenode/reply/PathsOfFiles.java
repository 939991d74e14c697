package io.acaciafs.namenode.reply;

import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INodeId;
import org.jspecify.annotations.Nullable;

/**
 * The path of a file that is known by its inode id alone, as it was a moment ago. For reports that
 * guard nothing. Stateless.
 */
public final class PathsOfFiles {
  private PathsOfFiles() {}

  /**
   * @return null where there is no such inode, or it lies in a directory that was deleted
   */
  public static @Nullable String pathOf(Reader reader, long inodeId) {
    StringBuilder path = new StringBuilder();
    Set<Long> seen = new HashSet<>();
    for (long id = inodeId; id != INodeId.ROOT_INODE_ID; ) {
      byte[] row = reader.get(NamespaceKeys.inode(id));
      if (row == null || !seen.add(id)) { // a loop is made of rows of different moments
        return null;
      }
      InodeLocation location = InodeLocation.decode(row);
      path.insert(0, "/" + new String(location.name(), StandardCharsets.UTF_8));
      id = location.directory().directoryId();
    }
    return path.toString();
  }
}
