package io.acaciafs.kv.rocksdb.files;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Knows of most keys that no row has them: a Bloom filter of the keys of rows. It grows by further
 * parts, as long as there is memory for all filters together, and forgets nothing. Safe for use by
 * many threads.
 *
 * <p>Blocked, as in Putze et al., Cache-, Hash- and Space-Efficient Bloom Filters (2007): all bits
 * of a key lie in one cache line.
 */
public final class AbsenceFilter {
  private static final int FIRST_CAPACITY = 1 << 12;
  private static final int GROWTH = 4;
  private static final int MOST_PARTS = 5;
  private static final int BITS_PER_KEY = 10;
  private static final int PROBES = 6;
  private static final int BLOCK_LONGS = 8;
  private static final int BLOCK_SHIFT = 9;
  private static final int BITS_OF_A_PROBE = 9;
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final AtomicLong bytesLeft;
  private volatile Part[] parts;
  private boolean released;

  /** Bits for so many keys. */
  private static final class Part {
    private final long[] bits;
    private final int blocks;
    private final int capacity;

    /** How many keys were added; about, as nobody waits to count. */
    private int added;

    Part(int capacity) {
      this.capacity = capacity;
      this.blocks = capacity / ((1 << BLOCK_SHIFT) / BITS_PER_KEY) + 1;
      this.bits = new long[blocks * BLOCK_LONGS];
    }

    /** Puts the bits of a key at its block; its upper half says which, its lower half the bits. */
    private int block(long hash) {
      return (int) ((hash >>> Integer.SIZE) * blocks >>> Integer.SIZE) * BLOCK_LONGS;
    }

    boolean mayContain(long hash) {
      int block = block(hash);
      long probes = probes(hash);
      for (int i = 0; i < PROBES; i++, probes >>>= BITS_OF_A_PROBE) {
        long word = (long) LONGS.getOpaque(bits, block + (int) (probes >>> 6 & BLOCK_LONGS - 1));
        if ((word >>> (probes & 63) & 1) == 0) {
          return false;
        }
      }
      return true;
    }

    void add(long hash) {
      int block = block(hash);
      long probes = probes(hash);
      for (int i = 0; i < PROBES; i++, probes >>>= BITS_OF_A_PROBE) {
        int index = block + (int) (probes >>> 6 & BLOCK_LONGS - 1);
        long bit = 1L << (probes & 63);
        if (((long) LONGS.getOpaque(bits, index) & bit) == 0) {
          LONGS.getAndBitwiseOr(bits, index, bit);
        }
      }
      added++;
    }

    private long sizeBytes() {
      return (long) bits.length * Long.BYTES;
    }

    private static long probes(long hash) {
      return hash * 0xD6E8FEB86659FD93L >>> 64 - PROBES * BITS_OF_A_PROBE;
    }
  }

  /**
   * @param bytesLeft for all filters together; not below 0 at first
   */
  AbsenceFilter(AtomicLong bytesLeft) {
    this.bytesLeft = bytesLeft;
    this.parts = new Part[] {new Part(FIRST_CAPACITY)};
    bytesLeft.addAndGet(-parts[0].sizeBytes());
  }

  /** Whether a key may have been added. */
  boolean mayContain(long hash) {
    for (Part part : parts) {
      if (part.mayContain(hash)) {
        return true;
      }
    }
    return false;
  }

  /** A thread that learns of the addition in any way sees it here. */
  public void add(long hash) {
    Part[] all = parts;
    Part last = all[all.length - 1];
    last.add(hash);
    if (last.added >= last.capacity && all.length < MOST_PARTS) {
      grow(all);
    }
  }

  private synchronized void grow(Part[] from) {
    if (parts == from && !released && bytesLeft.get() > 0) {
      Part[] more = Arrays.copyOf(from, from.length + 1);
      more[from.length] = new Part(GROWTH * from[from.length - 1].capacity);
      bytesLeft.addAndGet(-more[from.length].sizeBytes());
      parts = more;
    }
  }

  /** It says "perhaps" so often that it is of no use. */
  boolean isFull() {
    Part[] all = parts;
    Part last = all[all.length - 1];
    return last.added >= 2 * last.capacity;
  }

  /** Nobody will ask it any more. */
  synchronized void release() {
    if (!released) {
      released = true;
      for (Part part : parts) {
        bytesLeft.addAndGet(part.sizeBytes());
      }
    }
  }
}
