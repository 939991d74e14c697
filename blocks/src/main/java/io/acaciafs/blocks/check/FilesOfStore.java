package io.acaciafs.blocks.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;

/** What a check of blocks asks of files. */
public interface FilesOfStore {
  /** Whether a file has a block. */
  boolean lists(Reader reader, long fileId, long blockId);

  /** What is read to answer that first. */
  List<Key> reads(long fileId);

  /**
   * Whether a block that seems to be in no file is in none: not where files themselves are damaged,
   * and that could not be repaired.
   */
  boolean areCertain();

  /**
   * Makes a file of a block that is in none.
   *
   * @return the file's inode id
   */
  long save(Transaction transaction, Block block, short replication);
}
