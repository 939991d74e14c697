package io.acaciafs.fsimage.sort;

import java.util.Arrays;

/** Numbers without boxes. For one thread. */
public final class LongList {
  private static final int FIRST_CAPACITY = 16;

  private long[] values = new long[FIRST_CAPACITY];
  private int size;

  public void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  public void addAll(LongList others) {
    for (int i = 0; i < others.size; i++) {
      add(others.values[i]);
    }
  }

  public int size() {
    return size;
  }

  public long get(int index) {
    return values[index];
  }

  public long[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
