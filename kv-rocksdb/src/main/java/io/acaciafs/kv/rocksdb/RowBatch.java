package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import java.util.Arrays;

/** The rows of one commit, in the order in which they are to appear. Used by one thread. */
final class RowBatch {
  private Key[] keys;
  private byte[][] values;
  private int size;
  private int sizeBytes;

  /**
   * @param rows how many are expected
   */
  RowBatch(int rows) {
    keys = new Key[rows];
    values = new byte[rows][];
  }

  /**
   * @param value null: the row goes
   */
  void add(Key key, byte[] value) {
    if (size == keys.length) {
      int more = Math.max(8, 2 * size);
      keys = Arrays.copyOf(keys, more);
      values = Arrays.copyOf(values, more);
    }
    keys[size] = key;
    values[size] = value;
    size++;
    sizeBytes += BatchEncoder.longestRow(key.bytes(), value);
  }

  int size() {
    return size;
  }

  /** What it takes as a part of a batch, at most. */
  int sizeBytes() {
    return sizeBytes;
  }

  Key key(int index) {
    return keys[index];
  }

  /** Null: the row goes. */
  byte[] value(int index) {
    return values[index];
  }
}
