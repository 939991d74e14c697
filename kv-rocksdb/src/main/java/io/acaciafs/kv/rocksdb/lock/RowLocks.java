package io.acaciafs.kv.rocksdb.lock;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.engine.WriteSet;
import io.acaciafs.kv.rocksdb.common.SpinLock;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A version and a lock for each row, in a fixed number of words. A word is a version, which grows
 * by two with each write to a row of its slot; its lowest bit says that a commit holds it. Rows
 * that share a slot wait and conflict together, which costs time but never correctness.
 *
 * <p>The scheme is Silo's (Tu et al., Speedy Transactions in Multicore In-Memory Databases, 2013).
 * Safe for use by many threads. Locks are taken in ascending order, so nobody waits in a circle.
 */
public final class RowLocks {
  private static final long READER_PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final RowSlots rowSlots;
  private final AtomicLongArray words;
  private final long patienceNs;

  /**
   * @param patienceMs how long a commit waits for a lock
   */
  public RowLocks(RowSlots rowSlots, long patienceMs) {
    this.rowSlots = rowSlots;
    this.words = rowSlots.words();
    this.patienceNs = TimeUnit.MILLISECONDS.toNanos(patienceMs);
  }

  public int slotOf(Key key) {
    return rowSlots.slotOf(key);
  }

  /** The slots of all rows that are written, ascending and without repetition. */
  public int[] slotsOf(WriteSet writes) {
    int[] slots = new int[writes.size()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = slotOf(writes.write(i).key());
    }
    return distinct(slots);
  }

  /** Ascending and without repetition; may sort what it is given. */
  public static int[] distinct(int[] slots) {
    Arrays.sort(slots);
    int count = 0;
    for (int i = 0; i < slots.length; i++) {
      if (i == 0 || slots[i] != slots[i - 1]) {
        slots[count++] = slots[i];
      }
    }
    return count == slots.length ? slots : Arrays.copyOf(slots, count);
  }

  /**
   * The version that a reader guards. Waits a moment for the commit that holds the slot, and then
   * goes on with the version before it: the guard holds only if that commit writes nothing.
   */
  public long version(int slot) {
    long word = words.get(RowSlots.lockOf(slot));
    if (isLocked(word)) {
      long deadlineNs = System.nanoTime() + READER_PATIENCE_NS;
      for (int round = 0; isLocked(word) && System.nanoTime() - deadlineNs < 0; round++) {
        SpinLock.pause(round);
        word = words.get(RowSlots.lockOf(slot));
      }
    }
    return word & ~1L;
  }

  /** The version of a slot that the caller holds. */
  public long heldVersion(int slot) {
    return words.get(RowSlots.lockOf(slot)) & ~1L;
  }

  /** Whether the slot has this version still, and nobody holds it but the caller. */
  public boolean isAt(int slot, long version, int[] held) {
    long word = words.get(RowSlots.lockOf(slot));
    return word == version || word == version + 1 && Arrays.binarySearch(held, slot) >= 0;
  }

  /**
   * Takes slots in the order given, which is ascending and without repetition.
   *
   * @return false when one could not be had in time; none is held then
   */
  public boolean lock(int[] slots) {
    long[] seen = new long[slots.length];
    for (int i = 0; i < slots.length; i++) {
      seen[i] = words.get(RowSlots.lockOf(slots[i])); // waits for memory once for all, and not each
    }
    long deadlineNs = 0;
    for (int i = 0; i < slots.length; i++) {
      long word = seen[i];
      for (int round = 0; !tryLock(slots[i], word); round++) {
        if (deadlineNs == 0) {
          deadlineNs = System.nanoTime() + patienceNs;
        } else if (System.nanoTime() - deadlineNs > 0) {
          unlock(Arrays.copyOf(slots, i), false);
          return false;
        }
        SpinLock.pause(round);
        word = words.get(RowSlots.lockOf(slots[i]));
      }
    }
    return true;
  }

  private boolean tryLock(int slot, long word) {
    return !isLocked(word) && words.compareAndSet(RowSlots.lockOf(slot), word, word + 1);
  }

  /**
   * @param written whether rows changed, or may have
   */
  public void unlock(int[] slots, boolean written) {
    for (int slot : slots) {
      long locked = words.get(RowSlots.lockOf(slot));
      words.setRelease(RowSlots.lockOf(slot), written ? locked + 1 : locked - 1);
    }
  }

  private static boolean isLocked(long word) {
    return (word & 1) != 0;
  }
}
