package io.acaciafs.namespace.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import org.jspecify.annotations.Nullable;

/** What a check of files asks of blocks. */
public interface BlocksOfStore {

  /**
   * A block's own row.
   *
   * @param isCommitted whether its length and stamp are final
   */
  record Known(
      long fileId, int replication, boolean isCommitted, long generationStamp, long lengthBytes) {}

  /**
   * @return null where there is none that can be read
   */
  @Nullable Known read(Reader reader, long blockId);

  /** Where the row of a block is. */
  Key key(long blockId);

  /**
   * Writes the row of a block that has none: DataNodes will say where it is.
   *
   * @param isBeingWritten it is the last one of an open file
   */
  void restore(Transaction transaction, FileInode file, FileBlock block, boolean isBeingWritten);

  /** A block belongs to this file, and wants as many replicas as that. */
  void assign(Transaction transaction, FileInode file, long blockId);
}
