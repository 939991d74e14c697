package io.acaciafs.kv.rocksdb.memtable;

import io.acaciafs.kv.rocksdb.lock.RowSlots;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the {@link Memtable} that follow each other, encoded as a batch has them, so that the log
 * takes them as they are; and of each what a search needs: where it begins, a part of its key's
 * hash, and how many rows back the one before it in its slot is, and in its chain.
 *
 * <p>Rows are only ever added, under the memtable's latch. A thread that has found the number of a
 * row in a slot may read that row and all before it.
 */
final class MemtablePart {
  /** Small enough to be an ordinary object in a heap of any size. */
  private static final int CHUNK_BYTES = 1 << 18;

  private static final int BLOCK_BITS = 12;
  private static final int ROWS_OF_A_BLOCK = 1 << BLOCK_BITS;
  private static final int INTS_OF_A_ROW = 4;
  private static final int PLACE = 0;
  private static final int HASH = 1;
  private static final int BACK_IN_SLOT = 2;
  private static final int BACK_IN_CHAIN = 3;
  private static final int OFFSET_BITS = 18;
  private static final int OFFSETS = (1 << OFFSET_BITS) - 1;

  private final long first;

  /** A row lies whole in one of them. */
  private byte[][] chunks = new byte[4][];

  /** How much of each chunk is in use. */
  private int[] ends = new int[4];

  private int chunk = -1;
  private int[][] blocks = new int[4][];
  private int rows;
  private long sizeBytes;
  private volatile long logPosition;

  /** Rows by column family: put, and removed. */
  private int[] put = new int[16];

  private int[] removed = new int[16];

  /**
   * @param first the number of the first row
   */
  MemtablePart(long first) {
    this.first = first;
  }

  long first() {
    return first;
  }

  /** The number of the row behind the last one. Under the latch, or when the part is full. */
  long end() {
    return first + rows;
  }

  /** The log has rows of this part, up to the batch of this position. */
  void logged(long position) {
    logPosition = position;
  }

  /**
   * Rows of later batches were taken back. Other batches get their positions, whose rows may be in
   * another part.
   */
  void loggedNoFurther(long position) {
    logPosition = Math.min(logPosition, position);
  }

  /** The position of the last batch in the log that has rows of this part; 0: none has. */
  long logPosition() {
    return logPosition;
  }

  /** Under the latch. */
  long sizeBytes() {
    return sizeBytes;
  }

  // ---- writing, under the latch

  /** Takes the bytes of a row, which {@link #link} makes one. */
  void append(int family, byte[] key, byte @Nullable [] value) {
    byte[] bytes = room(BatchEncoder.longestRow(key, value));
    appended(BatchEncoder.put(bytes, ends[chunk], family, key, value));
    count(family, value == null);
  }

  /** The same of a row that is encoded already. */
  void append(BatchEncoder.EncodedRow row) {
    int length = row.end() - row.begin();
    byte[] bytes = room(length);
    System.arraycopy(row.buffer(), row.begin(), bytes, ends[chunk], length);
    appended(ends[chunk] + length);
    count(row.family(), row.isRemoved());
  }

  private void appended(int end) {
    int begin = ends[chunk];
    block()[at(rows) + PLACE] = chunk << OFFSET_BITS | begin;
    ends[chunk] = end;
    sizeBytes += end - begin;
  }

  /**
   * Adds the row that was appended, which nobody finds yet.
   *
   * @param hash of its key
   * @param inSlot number of the row before it in its slot; in the part or before it
   * @param inChain the same in the chain that scans follow
   */
  void link(int hash, long inSlot, long inChain) {
    int[] block = blocks[rows >> BLOCK_BITS];
    int at = at(rows);
    block[at + HASH] = hash;
    block[at + BACK_IN_SLOT] = back(first + rows, inSlot);
    block[at + BACK_IN_CHAIN] = back(first + rows, inChain);
    rows++;
  }

  /** Takes back the last row. Nobody may be reading it. */
  void removeLast(BatchEncoder.EncodedRow decoded) {
    rows--;
    chunk = block(rows)[at(rows) + PLACE] >>> OFFSET_BITS;
    ends[chunk] = decoded.begin();
    sizeBytes -= decoded.end() - decoded.begin();
    (decoded.isRemoved() ? removed : put)[decoded.family()]--;
  }

  private int[] block(int row) {
    return blocks[row >> BLOCK_BITS];
  }

  private static int back(long number, long before) {
    return (int) Math.min(Integer.MAX_VALUE, number - before);
  }

  private byte[] room(int length) {
    if (chunk < 0 || chunks[chunk].length - ends[chunk] < length || ends[chunk] > OFFSETS) {
      byte[] next = new byte[Math.max(CHUNK_BYTES, length)];
      if (chunk + 1 == chunks.length) {
        chunks = Arrays.copyOf(chunks, 2 * chunks.length);
        ends = Arrays.copyOf(ends, chunks.length);
      }
      chunks[++chunk] = next;
    }
    return chunks[chunk];
  }

  private int[] block() {
    int index = rows >> BLOCK_BITS;
    if (index == blocks.length) {
      blocks = Arrays.copyOf(blocks, 2 * index);
    }
    if (blocks[index] == null) {
      blocks[index] = new int[INTS_OF_A_ROW * ROWS_OF_A_BLOCK];
    }
    return blocks[index];
  }

  private void count(int family, boolean isRemoved) {
    if (family >= put.length) {
      put = Arrays.copyOf(put, 2 * family);
      removed = Arrays.copyOf(removed, put.length);
    }
    (isRemoved ? removed : put)[family]++;
  }

  /** Rows of a column family that were put, and rows that were removed. */
  int put(int family) {
    return family < put.length ? put[family] : 0;
  }

  int removed(int family) {
    return family < removed.length ? removed[family] : 0;
  }

  // ---- reading

  private static int at(int row) {
    return (row & ROWS_OF_A_BLOCK - 1) * INTS_OF_A_ROW;
  }

  private int field(long number, int field) {
    int row = (int) (number - first);
    return blocks[row >> BLOCK_BITS][at(row) + field];
  }

  /** As {@link RowSlots#hash}. */
  int hash(long number) {
    return field(number, HASH);
  }

  /** The number of the row before it in its slot, or of none that is there. */
  long beforeInSlot(long number) {
    return number - field(number, BACK_IN_SLOT);
  }

  long beforeInChain(long number) {
    return number - field(number, BACK_IN_CHAIN);
  }

  void decode(long number, BatchEncoder.EncodedRow row) {
    int place = field(number, PLACE);
    row.decode(chunks[place >>> OFFSET_BITS], place & OFFSETS);
  }

  /**
   * Adds the rows from one number to before another one to a batch, as they are.
   *
   * @param to not after what {@link #end} was when its caller held the latch
   */
  void appendTo(BatchEncoder batch, long from, long to) {
    BatchEncoder.EncodedRow last = new BatchEncoder.EncodedRow();
    decode(to - 1, last);
    int lastChunk = field(to - 1, PLACE) >>> OFFSET_BITS;
    int begin = field(from, PLACE) & OFFSETS;
    for (int i = field(from, PLACE) >>> OFFSET_BITS; i < lastChunk; i++) {
      batch.append(chunks[i], begin, ends[i], 0);
      begin = 0;
    }
    batch.append(chunks[lastChunk], begin, last.end(), Math.toIntExact(to - from));
  }
}
