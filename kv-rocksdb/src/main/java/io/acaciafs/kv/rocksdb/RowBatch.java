package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;

/** The rows of one commit, in the order in which they are to appear. Used by one thread. */
final class RowBatch {
  private final Key[] keys;
  private final byte[][] values;
  private int size;

  /**
   * @param rows how many come, at most
   */
  RowBatch(int rows) {
    keys = new Key[rows];
    values = new byte[rows][];
  }

  /**
   * @param value null: the row goes
   */
  void add(Key key, byte[] value) {
    keys[size] = key;
    values[size] = value;
    size++;
  }

  int size() {
    return size;
  }

  Key key(int index) {
    return keys[index];
  }

  /** Null: the row goes. */
  byte[] value(int index) {
    return values[index];
  }
}
