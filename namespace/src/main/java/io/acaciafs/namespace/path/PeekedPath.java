package io.acaciafs.namespace.path;

import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.codec.InodeCodec;
import org.jspecify.annotations.Nullable;

/**
 * An inode and its path as they were a moment ago, for reports that name many inodes: guarding all
 * of them would make such a report conflict with every writer.
 */
public record PeekedPath(String path, Inode inode) {

  public static @Nullable PeekedPath of(Reader reader, InodeCodec codec, long inodeId) {
    PeekedWay way = PeekedWay.to(inodeId, reader, codec);
    return way == null
        ? null
        : new PeekedPath(PathNames.join(way.names(), way.names().size()), way.inode());
  }
}
