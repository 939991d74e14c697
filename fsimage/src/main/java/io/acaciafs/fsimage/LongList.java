package io.acaciafs.fsimage;

import java.util.Arrays;

/** Numbers without boxes. For one thread. */
final class LongList {
  private static final int FIRST_CAPACITY = 16;

  private long[] values = new long[FIRST_CAPACITY];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  void addAll(LongList others) {
    for (int i = 0; i < others.size; i++) {
      add(others.values[i]);
    }
  }

  int size() {
    return size;
  }

  long get(int index) {
    return values[index];
  }

  long[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
