package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.RowView;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.memtable.MemtableCursor;
import io.acaciafs.kv.rocksdb.memtable.MemtableRow;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksIterator;

/**
 * Some rows of a scan, copied out of RocksDB one behind the other into one buffer. Used by one
 * thread.
 */
final class RowChunk {
  private static final int FIRST_BYTES = 4 << 10;

  /** A chunk that had to hold more is not kept for other scans. */
  private static final int LARGEST_KEPT_BYTES = 128 << 10;

  /** A chunk is full when it holds so much, whatever its last row brought. */
  private static final int FULL_BYTES = 32 << 10;

  private static final int FIRST_ROWS = 4;
  private static final int MOST_ROWS = 256;

  private byte[] bytes = new byte[FIRST_BYTES];

  /** Of row i the key begins at {@code offsets[2 * i]} and the value at the next of them. */
  private final int[] offsets = new int[2 * MOST_ROWS + 1];

  private int wanted = FIRST_ROWS;
  private int rows;
  private int next;

  boolean hasNext() {
    return next < rows;
  }

  /**
   * Takes the next rows from an iterator, each time more than the last time, since most scans are
   * short.
   *
   * @param fresh rows that are newer than those of the iterator, or not among them
   * @param to where to stop; null where the iterator does that by itself
   * @return whether there may be more
   */
  boolean fill(RocksIterator iterator, MemtableCursor fresh, byte @Nullable [] to) {
    if (rows == wanted && wanted < MOST_ROWS) {
      wanted *= 4;
    }
    rows = 0;
    next = 0;
    int end = 0;
    while (rows < wanted && end < FULL_BYTES) {
      int keyEnd = end;
      boolean isStored = iterator.isValid();
      if (isStored) {
        keyEnd += copyKey(iterator, end);
        isStored = to == null || Arrays.compareUnsigned(bytes, end, keyEnd, to, 0, to.length) < 0;
      }
      int order = isStored ? fresh.compareNext(bytes, end, keyEnd) : -1;
      if (order > 0) {
        end = note(end, keyEnd, keyEnd + copyValue(iterator, keyEnd));
        iterator.next();
      } else if (!fresh.hasNext()) {
        return false;
      } else {
        end = take(fresh.next(), end);
        if (order == 0) {
          iterator.next();
        }
      }
    }
    return true;
  }

  /** Where the row ends; one that is removed is left out. */
  private int take(MemtableRow row, int offset) {
    if (row.isRemoved()) {
      return offset;
    }
    int valueOffset = offset + row.keyLength();
    int rowEnd = valueOffset + row.valueLength();
    if (rowEnd > bytes.length) {
      growTo(rowEnd);
    }
    row.copyKey(bytes, offset);
    row.copyValue(bytes, valueOffset);
    return note(offset, valueOffset, rowEnd);
  }

  private int note(int offset, int valueOffset, int rowEnd) {
    offsets[2 * rows] = offset;
    offsets[2 * rows + 1] = valueOffset;
    offsets[2 * rows + 2] = rowEnd;
    rows++;
    return rowEnd;
  }

  private int copyKey(RocksIterator iterator, int offset) {
    int length = iterator.key(bytes, offset, bytes.length - offset);
    if (length > bytes.length - offset) {
      growTo(offset + length);
      iterator.key(bytes, offset, length);
    }
    return length;
  }

  private int copyValue(RocksIterator iterator, int offset) {
    int length = iterator.value(bytes, offset, bytes.length - offset);
    if (length > bytes.length - offset) {
      growTo(offset + length);
      iterator.value(bytes, offset, length);
    }
    return length;
  }

  private void growTo(int needed) {
    bytes = Arrays.copyOf(bytes, Math.max(needed, 4 * bytes.length));
  }

  /** The next row, of which there is one, as an object. */
  Row next(Table table) {
    int at = 2 * next++;
    return new Row(
        new Key(table, Arrays.copyOfRange(bytes, offsets[at], offsets[at + 1])),
        Arrays.copyOfRange(bytes, offsets[at + 1], offsets[at + 2]));
  }

  /** The next row, of which there is one; shown until this chunk is filled again. */
  void next(RowView view) {
    int at = 2 * next++;
    view.showKey(bytes, offsets[at], offsets[at + 1] - offsets[at]);
    view.showValue(bytes, offsets[at + 1], offsets[at + 2] - offsets[at + 1]);
  }

  /** Forgets what is left: another scan may begin. */
  void clear() {
    rows = 0;
    next = 0;
    wanted = FIRST_ROWS;
  }

  boolean isWorthKeeping() {
    return bytes.length <= LARGEST_KEPT_BYTES;
  }
}
