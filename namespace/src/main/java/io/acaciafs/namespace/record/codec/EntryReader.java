package io.acaciafs.namespace.record.codec;

import io.acaciafs.kv.RowView;
import io.acaciafs.kv.value.Saturated;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.QuotaCounts;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells of one entry after the other what counting needs to know, without making inodes of them.
 * Used by one thread, as its codec.
 */
public final class EntryReader {
  private final InodeCodec codec;
  private final PlainInode plain = new PlainInode(false);
  private @Nullable RowView row;

  /** Null while the row is plain. */
  private @Nullable Inode inode;

  public EntryReader(InodeCodec codec) {
    this.codec = codec;
  }

  /**
   * Goes to another entry; what is asked from now on is asked of it.
   *
   * @param entry must still be shown when something is asked
   * @throws io.acaciafs.kv.StoreException when it is no inode
   */
  public void read(RowView entry) {
    row = entry;
    boolean isPlain = plain.read(entry.valueBuffer(), entry.valueOffset(), entry.valueLength());
    inode = isPlain ? null : decoded();
  }

  public boolean isDirectory() {
    return inode == null ? plain.kind() == PlainInode.Kind.DIRECTORY : inode.isDirectory();
  }

  /** Of a directory. */
  public Locator locator() {
    return inode == null ? plain.locator() : ((DirectoryInode) inode).locator();
  }

  /** Of a directory. */
  public Buckets buckets() {
    return inode == null ? Buckets.ONE : ((DirectoryInode) inode).buckets();
  }

  /** The whole inode. */
  public Inode inode() {
    return inode == null ? decoded() : inode;
  }

  private Inode decoded() {
    RowView read = Objects.requireNonNull(row, "it stands on an entry");
    return codec.decode(read.valueBuffer(), read.valueOffset(), read.valueLength());
  }

  /** As {@link FileInode#lengthBytes}; 0 of what is no file. */
  public long lengthBytes() {
    if (inode == null) {
      return plain.lengthBytes();
    }
    return inode instanceof FileInode file ? file.lengthBytes() : 0;
  }

  /** Of all replicas, as they count against a quota; 0 of what is no file. */
  public long spaceBytes() {
    if (inode == null) {
      boolean isOpen = plain.writer() != null && plain.blockCount() > 0;
      long oneReplica =
          isOpen
              ? Saturated.add(
                  plain.lengthBytes() - plain.lastBlockBytes(), plain.preferredBlockSizeBytes())
              : plain.lengthBytes();
      return Saturated.multiply(oneReplica, plain.replication());
    }
    return inode instanceof FileInode file ? QuotaCounts.allReplicasBytes(file) : 0;
  }
}
