package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Tells whether anything was written into a partition: what {@link RowLocks} are for single rows,
 * but nobody waits here, as many commits write into one partition at the same time. A word counts
 * the commits that are writing in its low bits, and those that have ended above. Partitions that
 * share a word seem to change together.
 *
 * <p>Tables of single rows have no partitions to watch. Safe for use by many threads.
 */
final class PartitionVersions {
  private static final int WRITER_BITS = 20;
  private static final long WRITERS = (1L << WRITER_BITS) - 1;
  private static final byte[] NO_BYTES = {};

  private final AtomicLongArray words;
  private final int shift;

  /**
   * @param bits the number of words is two to the power of it
   */
  PartitionVersions(int bits) {
    this.words = new AtomicLongArray(1 << bits);
    this.shift = Long.SIZE - bits;
  }

  static boolean watches(Table table) {
    return table.partitionLength() != Integer.MAX_VALUE;
  }

  /**
   * @param key begins with the partition
   */
  int slotOf(Table table, byte[] key) {
    return slotOf(table, key, 0, key.length);
  }

  /** The same where the key is a part of the bytes. */
  int slotOf(Table table, byte[] key, int from, int to) {
    int end = from + Math.min(table.partitionLength(), to - from);
    return (int) (Key.hash(table, key, from, end) >>> shift);
  }

  /** Of a table without partitions, as a whole. */
  int slotOf(Table table) {
    return (int) (Key.hash(table, NO_BYTES, 0, 0) >>> shift);
  }

  /** How many slots there are. */
  int slots() {
    return words.length();
  }

  /** Before the first write of a commit. */
  void begin(int slot) {
    words.getAndAdd(slot, 1);
  }

  /** After the last one, when all is visible. */
  void end(int slot) {
    words.getAndAdd(slot, WRITERS);
  }

  /** Waits a moment until no commit is writing; whether there was such a moment. */
  boolean isQuiet(int slot, int spins) {
    for (int i = 0; i < spins; i++) {
      if ((words.get(slot) & WRITERS) == 0) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /** To be taken before reading. */
  long version(int slot) {
    return words.get(slot);
  }

  /** Whether nothing was written, nor was being written, since the version was taken. */
  boolean isAt(int slot, long version) {
    return (version & WRITERS) == 0 && words.get(slot) == version;
  }
}
