package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks after the transfer rows of one storage, the source: which of them are being removed because
 * they were handed to the DataNode, and roughly how many wait. There are only a few at a time. Safe
 * for use by many threads.
 */
public final class PendingTransfers {
  private final Set<Long> taken = ConcurrentHashMap.newKeySet();
  private final ExpectedRows rows = new ExpectedRows();
  private volatile int waiting;

  int waiting() {
    return waiting;
  }

  /** A transaction is about to write a row for this storage. */
  public synchronized void reserve(long nowMs) {
    waiting++;
    rows.expect(nowMs);
  }

  /** Whether there is anything to take. */
  public ExpectedRows rows() {
    return rows;
  }

  /** Counts anew what waits, up to a limit, where another NameNode hands the rows out. */
  public synchronized void recount(Reader reader, int storageIndex, int limit) {
    int rows = 0;
    try (Scan scan = reader.scan(BlockKeys.transfersOf(storageIndex))) {
      for (; rows < limit && scan.hasNext(); rows++) {
        scan.next();
      }
    }
    waiting = rows;
  }

  /** The row was not written after all. */
  public synchronized void release() {
    waiting = Math.max(0, waiting - 1);
  }

  /** A row that was taken is gone, or may be taken again. */
  public void giveBack(Row row) {
    taken.remove(blockId(row.key()));
  }

  /** Takes rows that nobody has taken. Each is to be removed, and then to be given back. */
  public synchronized List<Row> take(Reader reader, int storageIndex, int limit, long nowMs) {
    if (limit <= 0 || rows.isAsleep(nowMs)) {
      return List.of();
    }
    List<Row> free = new ArrayList<>();
    int left = 0;
    try (Scan scan = reader.scan(BlockKeys.transfersOf(storageIndex))) {
      while (scan.hasNext() && left < limit) {
        Row row = scan.next();
        if (free.size() < limit && !taken.contains(blockId(row.key()))) {
          free.add(row);
        } else if (free.size() >= limit) {
          left++;
        }
      }
    }
    free.forEach(row -> taken.add(blockId(row.key())));
    waiting = Math.max(left, waiting - free.size());
    rows.looked(free.isEmpty(), nowMs);
    if (rows.isAsleep(nowMs)) {
      waiting = 0;
    }
    return free;
  }

  private static long blockId(Key key) {
    return BlockKeys.blockIdIn(key);
  }
}
