package io.acaciafs.fsimage.sort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sorts any number of rows by their keys: they gather in a buffer; a full one is sorted and written
 * out as a run; at the end the runs are merged. Keys have at least eight bytes and are ordered by
 * unsigned bytes.
 *
 * <p>{@link #add} is safe for many threads: whoever fills the buffer sorts it, while the others go
 * on with a new one. So memory is one buffer and one for each thread. {@link #merge} is for one
 * thread, once, at the end.
 */
public final class RowSorter implements AutoCloseable {
  private final Path folder;
  private final String name;
  private final int bufferBytes;
  private final List<Path> runs = new ArrayList<>();
  private @Nullable SortBuffer buffer;
  private int runsBegun;

  /**
   * @param folder for the runs
   * @param name begins the names of the runs
   * @param bufferBytes of one buffer
   */
  public RowSorter(Path folder, String name, int bufferBytes) {
    this.folder = folder;
    this.name = name;
    this.bufferBytes = bufferBytes;
    this.buffer = new SortBuffer(bufferBytes);
  }

  /** The arrays are the caller's again afterwards. */
  public void add(byte[] key, byte[] value) throws IOException {
    SortBuffer full;
    Path run;
    synchronized (this) {
      full = open();
      if (full.add(key, value)) {
        return;
      }
      run = folder.resolve(name + "-" + runsBegun++);
      SortBuffer next = new SortBuffer(Math.max(bufferBytes, SortBuffer.bytesOf(key, value)));
      next.add(key, value);
      buffer = next;
    }
    spill(full, run);
  }

  private SortBuffer open() {
    return Objects.requireNonNull(buffer, "rows are still added");
  }

  private void spill(SortBuffer full, Path run) throws IOException {
    full.writeTo(run);
    synchronized (this) {
      runs.add(run);
    }
  }

  /** All rows in order. */
  public synchronized RowMerge merge() throws IOException {
    List<RowCursor> cursors = new ArrayList<>();
    try {
      cursors.add(open().sorted());
      for (Path run : runs) {
        cursors.add(new RunCursor(run));
      }
    } catch (IOException e) {
      for (RowCursor cursor : cursors) {
        cursor.close();
      }
      throw e;
    }
    buffer = null;
    return new RowMerge(cursors);
  }

  /** Removes the runs. */
  @Override
  public synchronized void close() throws IOException {
    buffer = null;
    for (Path run : runs) {
      Files.deleteIfExists(run);
    }
    runs.clear();
  }
}
