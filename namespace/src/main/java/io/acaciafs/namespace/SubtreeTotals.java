package io.acaciafs.namespace;

import io.acaciafs.kv.Saturated;
import io.acaciafs.namespace.record.EntryReader;

/**
 * What is in a subtree, without the directory at its top.
 *
 * @param files symbolic links among them
 * @param lengthBytes of all files
 * @param spaceBytes of all replicas, as they count against a quota
 */
public record SubtreeTotals(long files, long directories, long lengthBytes, long spaceBytes) {
  public static final SubtreeTotals NONE = new SubtreeTotals(0, 0, 0, 0);

  public SubtreeTotals plus(SubtreeTotals other) {
    return new SubtreeTotals(
        files + other.files,
        directories + other.directories,
        Saturated.add(lengthBytes, other.lengthBytes),
        Saturated.add(spaceBytes, other.spaceBytes));
  }

  /** Adds up entries. Used by one thread. */
  static final class Sum {
    private long files;
    private long directories;
    private long lengthBytes;
    private long spaceBytes;

    void add(EntryReader entry) {
      if (entry.isDirectory()) {
        directories++;
      } else {
        files++;
        lengthBytes = Saturated.add(lengthBytes, entry.lengthBytes());
        spaceBytes = Saturated.add(spaceBytes, entry.spaceBytes());
      }
    }

    SubtreeTotals totals() {
      return new SubtreeTotals(files, directories, lengthBytes, spaceBytes);
    }
  }
}
