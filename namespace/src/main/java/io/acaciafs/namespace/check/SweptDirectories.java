package io.acaciafs.namespace.check;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.SweepJob;
import java.util.Arrays;

/** Directories that left the tree and whose rows wait for the sweeper. For one thread. */
final class SweptDirectories {
  private static final int MOST = 1_000_000;

  private long[] ids = {};
  private boolean areAll = true;

  /** Reads them anew. */
  void load(Reader reader) {
    long[] found = new long[16];
    int count = 0;
    areAll = true;
    try (Scan jobs = reader.scan(NamespaceKeys.sweepJobs(new byte[0]))) {
      while (areAll && jobs.hasNext()) {
        Row row = jobs.next();
        SweepJob job = Rows.decoded(() -> SweepJob.decode(row.value()));
        if (job != null) {
          areAll = count < MOST;
          if (count == found.length) {
            found = Arrays.copyOf(found, 2 * count);
          }
          found[count++] = job.directoryId();
        }
      }
    }
    ids = Arrays.copyOf(found, count);
    Arrays.sort(ids);
  }

  /** Whether they are known; there may be too many. */
  boolean areAll() {
    return areAll;
  }

  boolean contains(long directoryId) {
    return Arrays.binarySearch(ids, directoryId) >= 0;
  }
}
