package io.acaciafs.namespace.summary;

import io.acaciafs.kv.value.Saturated;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.QuotaCounts;
import io.acaciafs.namespace.record.codec.EntryReader;

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
        addFile(entry.lengthBytes(), entry.spaceBytes());
      }
    }

    void add(Inode inode) {
      if (inode.isDirectory()) {
        directories++;
      } else if (inode instanceof FileInode file) {
        addFile(file.lengthBytes(), QuotaCounts.allReplicasBytes(file));
      } else {
        addFile(0, 0);
      }
    }

    private void addFile(long length, long space) {
      files++;
      lengthBytes = Saturated.add(lengthBytes, length);
      spaceBytes = Saturated.add(spaceBytes, space);
    }

    SubtreeTotals totals() {
      return new SubtreeTotals(files, directories, lengthBytes, spaceBytes);
    }
  }
}
