package io.acaciafs.fsimage;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.directory.BucketScan;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.SweepJob;
import io.acaciafs.namespace.record.codec.InodeCodec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** Directories that were deleted, and whose rows nobody has removed yet. */
final class SweptDirectories {
  private SweptDirectories() {}

  static Set<Locator> of(Reader store, InodeCodec codec) {
    Deque<SweepJob> found = new ArrayDeque<>();
    try (Scan jobs = store.scan(NamespaceKeys.sweepJobs(new byte[0]))) {
      while (jobs.hasNext()) {
        found.add(SweepJob.decode(jobs.next().value()));
      }
    }
    Set<Locator> all = new HashSet<>();
    while (!found.isEmpty()) {
      SweepJob next = found.remove();
      if (all.add(next.locator())) {
        addDirectories(store, codec, next, found);
      }
    }
    return all;
  }

  private static void addDirectories(
      Reader store, InodeCodec codec, SweepJob in, Deque<SweepJob> found) {
    BucketScan.forEachRow(
        store,
        in.locator(),
        in.buckets(),
        new byte[0],
        row -> {
          if (codec.decode(row.value()) instanceof DirectoryInode directory) {
            found.add(new SweepJob(directory.id(), directory.locator(), directory.buckets()));
          }
          return true;
        });
  }
}
