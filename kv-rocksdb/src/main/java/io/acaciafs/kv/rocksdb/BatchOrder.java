package io.acaciafs.kv.rocksdb;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Brings the rows of a batch into the order of their keys, and keeps the last of those with the
 * same key. All of a batch appears at once, so nobody sees the difference; but RocksDB finds the
 * place of a row by far the cheapest where the row before it has just been put. Used by one thread.
 */
final class BatchOrder {
  private static final int LARGEST_KEPT = 1 << 14;

  private static final Comparator<QueuedCommit.Row> BY_KEY = BatchOrder::compare;

  private QueuedCommit.Row[] rows = new QueuedCommit.Row[512];
  private int count;

  /** Adds the rows of a commit that came after all that were added before. */
  void addAll(List<QueuedCommit.Row> more) {
    if (rows.length - count < more.size()) {
      rows = Arrays.copyOf(rows, Math.max(2 * count, count + more.size()));
    }
    for (int i = 0; i < more.size(); i++) {
      rows[count++] = more.get(i);
    }
  }

  void appendTo(BatchEncoder batch) {
    Arrays.sort(rows, 0, count, BY_KEY); // stable: the last of a key stays the last
    for (int i = 0; i < count; i++) {
      QueuedCommit.Row row = rows[i];
      if (i == count - 1 || compare(row, rows[i + 1]) != 0) {
        batch.append(row.family(), row.key().bytes(), row.value());
      }
    }
  }

  void clear() {
    if (count > LARGEST_KEPT) {
      rows = new QueuedCommit.Row[LARGEST_KEPT];
    } else {
      Arrays.fill(rows, 0, count, null);
    }
    count = 0;
  }

  private static int compare(QueuedCommit.Row left, QueuedCommit.Row right) {
    if (left.family() != right.family()) {
      return Integer.compare(left.family(), right.family());
    }
    return left.keyPrefix() != right.keyPrefix()
        ? Long.compareUnsigned(left.keyPrefix(), right.keyPrefix())
        : Arrays.compareUnsigned(left.key().bytes(), right.key().bytes());
  }
}
