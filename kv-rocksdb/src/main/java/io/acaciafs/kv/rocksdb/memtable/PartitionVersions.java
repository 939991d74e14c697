package io.acaciafs.kv.rocksdb.memtable;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.lock.RowLocks;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Tells whether anything was written into a partition: what {@link RowLocks} are for single rows,
 * but nobody waits here, as many commits write into one partition at the same time. A word counts
 * the commits that are writing in its low bits, and those that have ended above. Partitions that
 * share a word seem to change together.
 *
 * <p>Tables of single rows have no partitions to watch. Safe for use by many threads.
 */
public final class PartitionVersions {
  private static final int WRITER_BITS = 20;
  private static final long WRITERS = (1L << WRITER_BITS) - 1;
  private static final byte[] NO_BYTES = {};

  private final AtomicLongArray words;
  private final int shift;

  /**
   * @param bits the number of words is two to the power of it
   */
  public PartitionVersions(int bits) {
    this.words = new AtomicLongArray(1 << bits);
    this.shift = Long.SIZE - bits;
  }

  public static boolean watches(Table table) {
    return table.partitionLength() != Integer.MAX_VALUE;
  }

  /**
   * @param key begins with the partition
   */
  public int slotOf(Table table, byte[] key) {
    return slotOf(table, key, 0, key.length);
  }

  /** The same where the key is a part of the bytes. */
  public int slotOf(Table table, byte[] key, int from, int to) {
    int end = from + Math.min(table.partitionLength(), to - from);
    return (int) (Key.hash(table, key, from, end) >>> shift);
  }

  /** Of a table without partitions, as a whole. */
  public int slotOf(Table table) {
    return (int) (Key.hash(table, NO_BYTES, 0, 0) >>> shift);
  }

  /** How many slots there are. */
  int slots() {
    return words.length();
  }

  /** Before the first write of a commit. */
  public void begin(int slot) {
    words.getAndAdd(slot, 1);
  }

  /** After the last one, when all is visible. */
  public void end(int slot) {
    words.getAndAdd(slot, WRITERS);
  }

  /** Waits a moment until no commit is writing; whether there was such a moment. */
  public boolean isQuiet(int slot, int spins) {
    for (int i = 0; i < spins; i++) {
      if ((words.get(slot) & WRITERS) == 0) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /** To be taken before reading. */
  public long version(int slot) {
    return words.get(slot);
  }

  /** Whether nothing was written, nor was being written, since the version was taken. */
  public boolean isAt(int slot, long version) {
    return (version & WRITERS) == 0 && words.get(slot) == version;
  }
}
