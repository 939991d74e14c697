package io.acaciafs.fsimage.sort;

import java.io.IOException;
import java.nio.file.Path;

/** The rows of each large table. Safe for use by many threads. */
public record RowSorters(RowSorter entries, RowSorter inodes, RowSorter blocks, RowSorter openFiles)
    implements AutoCloseable {

  /**
   * @param folder for what does not fit into memory
   * @param unitBytes of a buffer of the largest table
   */
  public static RowSorters in(Path folder, int unitBytes) {
    return new RowSorters(
        new RowSorter(folder, "entries", unitBytes),
        new RowSorter(folder, "inodes", unitBytes / 2),
        new RowSorter(folder, "blocks", unitBytes / 2),
        new RowSorter(folder, "open-files", unitBytes / 16));
  }

  @Override
  public void close() throws IOException {
    entries.close();
    inodes.close();
    blocks.close();
    openFiles.close();
  }
}
