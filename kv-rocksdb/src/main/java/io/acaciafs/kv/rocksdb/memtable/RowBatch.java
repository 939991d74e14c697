package io.acaciafs.kv.rocksdb.memtable;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import org.jspecify.annotations.Nullable;

/** The rows of one commit, in the order in which they are to appear. Used by one thread. */
public final class RowBatch {
  /** With what else is in its part of the memtable a record of the log, of which 2 GiB are read. */
  static final long MOST_BYTES = 1 << 29;

  private final Key[] keys;
  private final byte[][] values;
  private int size;
  private long bytes;

  /**
   * @param rows how many come, at most
   */
  public RowBatch(int rows) {
    keys = new Key[rows];
    values = new byte[rows][];
  }

  /**
   * @param value null: the row goes
   */
  public void add(Key key, byte @Nullable [] value) {
    keys[size] = key;
    values[size] = value;
    size++;
    bytes += key.bytes().length + (value == null ? 0L : value.length);
  }

  /**
   * @throws StoreException when it is more than the log takes
   */
  public void requireLoggable() {
    if (bytes > MOST_BYTES) {
      throw new StoreException(
          "A commit of " + bytes + " bytes is larger than the store takes: " + MOST_BYTES);
    }
  }

  public int size() {
    return size;
  }

  public Key key(int index) {
    return keys[index];
  }

  /** Null: the row goes. */
  public byte @Nullable [] value(int index) {
    return values[index];
  }
}
