package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Table;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Tells whether anything was written into a partition: what {@link RowLocks} are for single rows,
 * but nobody waits here, as many commits write into one partition at the same time. A word counts
 * the commits that are writing in its low bits, and those that have ended above. Partitions that
 * share a word seem to change together. It knows as well into which partitions commits wait to be
 * written, so that scans of the others need not wait for them.
 *
 * <p>Tables of single rows have no partitions to watch. Safe for use by many threads.
 */
final class PartitionVersions {
  private static final int WRITER_BITS = 20;
  private static final long WRITERS = (1L << WRITER_BITS) - 1;

  private final AtomicLongArray words;
  private final AtomicIntegerArray waiting;
  private final int shift;

  /**
   * @param bits the number of words is two to the power of it
   */
  PartitionVersions(int bits) {
    this.words = new AtomicLongArray(1 << bits);
    this.waiting = new AtomicIntegerArray(1 << bits);
    this.shift = Long.SIZE - bits;
  }

  static boolean watches(Table table) {
    return table.partitionLength() != Integer.MAX_VALUE;
  }

  /**
   * @param key begins with the partition
   */
  int slotOf(Table table, byte[] key) {
    int length = Math.min(table.partitionLength(), key.length);
    long hash = table.name().hashCode();
    for (int i = 0; i < length; i++) {
      hash = (hash ^ key[i]) * 0x100000001B3L;
    }
    return (int) ((hash ^ hash >>> 32) * 0x9E3779B97F4A7C15L >>> shift);
  }

  /** Before the first write of a commit. */
  void begin(int slot) {
    words.getAndAdd(slot, 1);
  }

  /** After the last one, when all is visible. */
  void end(int slot) {
    words.getAndAdd(slot, WRITERS);
  }

  /** A commit into these partitions is about to be shown, and waits to be written. */
  void queued(int[] slots) {
    for (int slot : slots) {
      waiting.incrementAndGet(slot);
    }
  }

  /** It is written. */
  void written(int[] slots) {
    for (int slot : slots) {
      waiting.decrementAndGet(slot);
    }
  }

  /** Whether something that readers have been shown is not written yet. */
  boolean hasQueued(int slot) {
    return waiting.get(slot) != 0;
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
