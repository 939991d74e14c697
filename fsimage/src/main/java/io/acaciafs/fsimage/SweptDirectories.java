package io.acaciafs.fsimage;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.InodeCodec;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.SweepJob;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** Directories that were deleted, and whose rows nobody has removed yet. */
final class SweptDirectories {
  private SweptDirectories() {}

  static Set<Locator> of(Reader store, InodeCodec codec) {
    Deque<Locator> found = new ArrayDeque<>();
    try (Scan jobs = store.scan(KeyRange.ofTable(NamespaceKeys.JOBS))) {
      while (jobs.hasNext()) {
        found.add(SweepJob.decode(jobs.next().value()).locator());
      }
    }
    Set<Locator> all = new HashSet<>();
    while (!found.isEmpty()) {
      Locator next = found.remove();
      if (all.add(next)) {
        addDirectories(store, codec, next, found);
      }
    }
    return all;
  }

  private static void addDirectories(
      Reader store, InodeCodec codec, Locator in, Deque<Locator> found) {
    try (Scan entries = store.scan(NamespaceKeys.entries(in, 0))) {
      while (entries.hasNext()) {
        if (codec.decode(entries.next().value()) instanceof DirectoryInode directory) {
          found.add(directory.locator());
        }
      }
    }
  }
}
