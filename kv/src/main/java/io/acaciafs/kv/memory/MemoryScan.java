package io.acaciafs.kv.memory;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Fetches row by row, so that it shows each as it is at its own moment. */
final class MemoryScan implements Scan {
  private final MemoryStore store;
  private @Nullable KeyRange rest;
  private @Nullable Row next;

  MemoryScan(MemoryStore store, KeyRange range) {
    this.store = store;
    this.rest = range;
  }

  @Override
  public boolean hasNext() {
    if (next == null && rest != null) {
      next = store.first(rest);
      rest = next == null ? null : rest.startingAfter(next.key().bytes());
    }
    return next != null;
  }

  @Override
  public Row next() {
    Row row = hasNext() ? next : null;
    if (row == null) {
      throw new NoSuchElementException("The scan is at its end");
    }
    next = null;
    return row;
  }

  @Override
  public void close() {
    next = null;
    rest = null;
  }
}
