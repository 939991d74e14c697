package io.acaciafs.fsimage.sort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All rows of sorted runs in order. Closes them. For one thread. */
public final class RowMerge implements AutoCloseable {
  private final List<RowCursor> all;

  /** A heap: no cursor stands before the one at half its place. */
  private final List<RowCursor> heap = new ArrayList<>();

  private boolean isBegun;

  RowMerge(List<RowCursor> cursors) {
    all = List.copyOf(cursors);
  }

  /**
   * @return false at the end
   */
  public boolean next() throws IOException {
    if (!isBegun) {
      isBegun = true;
      for (RowCursor cursor : all) {
        if (cursor.next()) {
          heap.add(cursor);
        }
      }
      for (int i = heap.size() / 2 - 1; i >= 0; i--) {
        sink(i);
      }
    } else if (!heap.isEmpty()) {
      if (!heap.get(0).next()) {
        RowCursor last = heap.remove(heap.size() - 1);
        if (!heap.isEmpty()) {
          heap.set(0, last);
        }
      }
      sink(0);
    }
    return !heap.isEmpty();
  }

  private void sink(int from) {
    int at = from;
    while (2 * at + 1 < heap.size()) {
      int child = 2 * at + 1;
      if (child + 1 < heap.size() && compare(heap.get(child + 1), heap.get(child)) < 0) {
        child++;
      }
      if (compare(heap.get(at), heap.get(child)) <= 0) {
        return;
      }
      RowCursor sinking = heap.set(at, heap.get(child));
      heap.set(child, sinking);
      at = child;
    }
  }

  private static int compare(RowCursor one, RowCursor other) {
    int byPrefix = Long.compareUnsigned(one.prefix(), other.prefix());
    return byPrefix != 0 ? byPrefix : Arrays.compareUnsigned(one.key(), other.key());
  }

  public byte[] key() {
    return heap.get(0).key();
  }

  public byte[] value() {
    return heap.get(0).value();
  }

  @Override
  public void close() throws IOException {
    for (RowCursor cursor : all) {
      cursor.close();
    }
  }
}
