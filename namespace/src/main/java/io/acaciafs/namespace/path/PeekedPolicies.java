package io.acaciafs.namespace.path;

import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.record.codec.Dictionary;
import io.acaciafs.namespace.record.codec.InodeCodec;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * The storage policies that files have or inherit, as they were a moment ago, for callers that know
 * a file by its inode id alone. Guards nothing. Safe for use by many threads.
 */
public final class PeekedPolicies {
  private static final byte NONE = HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED;

  private final Dictionary dictionary = new Dictionary();

  /**
   * @return 0 where none is set, or there is no such inode any more
   */
  public byte idOf(Reader reader, long inodeId) {
    PeekedWay way = PeekedWay.to(inodeId, reader, InodeCodec.forReading(reader, dictionary));
    return way == null ? NONE : new ResolvedPath(way.names(), way.inodes()).storagePolicyId();
  }
}
