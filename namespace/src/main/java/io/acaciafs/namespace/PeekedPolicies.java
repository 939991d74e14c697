package io.acaciafs.namespace;

import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.record.Dictionary;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeCodec;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * The storage policies that files have or inherit, as they were a moment ago, for those who know a
 * file by its inode id alone. Guards nothing. Safe for use by many threads.
 */
public final class PeekedPolicies {
  private static final byte NONE = HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED;

  private final Dictionary dictionary = new Dictionary();

  /**
   * @return 0 where none is set, or there is no such inode any more
   */
  public byte idOf(Reader reader, long inodeId) {
    InodeCodec codec = InodeCodec.forReading(reader, dictionary);
    Set<Long> seen = new HashSet<>(); // a loop is made of rows of different moments
    for (long id = inodeId; id != Root.ID && seen.add(id); ) {
      byte[] row = reader.peek(NamespaceKeys.inode(id));
      if (row == null) {
        return NONE;
      }
      InodeLocation location = InodeLocation.decode(row);
      byte[] entry = reader.peek(NamespaceKeys.entry(location.directory(), 0, location.name()));
      Inode inode = entry == null ? null : codec.decode(entry);
      if (inode == null || inode.id() != id) {
        return NONE;
      }
      if (inode.features().storagePolicyId() != NONE) {
        return inode.features().storagePolicyId();
      }
      id = location.directory().directoryId();
    }
    byte[] root = reader.peek(Root.KEY);
    return root == null ? NONE : codec.decode(root).features().storagePolicyId();
  }
}
