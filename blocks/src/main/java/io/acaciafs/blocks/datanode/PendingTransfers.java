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
 * they were handed to the DataNode, and roughly how many wait. There are only a few at a time.
 * Where none is expected no scan is made. Safe for use by many threads.
 */
public final class PendingTransfers {
  /** So long after rows were expected no scan that finds nothing is believed. */
  private static final long AWAKE_MS = 60_000;

  private final Set<Long> taken = ConcurrentHashMap.newKeySet();
  private volatile int waiting;
  private volatile long awakeUntilMs = Long.MIN_VALUE;
  private boolean isAsleep;

  int waiting() {
    return waiting;
  }

  /** A transaction is about to write a row for this storage. */
  public synchronized void reserve(long nowMs) {
    waiting++;
    expectRows(nowMs);
  }

  /** Another NameNode may have written rows for this storage. */
  public synchronized void expectRows(long nowMs) {
    awakeUntilMs = nowMs + AWAKE_MS;
    isAsleep = false;
  }

  /** There may be rows that nobody expected. */
  public synchronized void wake() {
    isAsleep = false;
  }

  /** Whether the next heartbeat will not look for rows. */
  public synchronized boolean isAsleep() {
    return isAsleep;
  }

  /** Whether rows have been expected since then. */
  boolean isAwakeSince(long ms) {
    return awakeUntilMs >= ms + AWAKE_MS;
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
    if (limit <= 0 || isAsleep) {
      return List.of();
    }
    List<Row> rows = new ArrayList<>();
    int left = 0;
    try (Scan scan = reader.scan(BlockKeys.transfersOf(storageIndex))) {
      while (scan.hasNext() && left < limit) {
        Row row = scan.next();
        if (rows.size() < limit && !taken.contains(blockId(row.key()))) {
          rows.add(row);
        } else if (rows.size() >= limit) {
          left++;
        }
      }
    }
    rows.forEach(row -> taken.add(blockId(row.key())));
    waiting = Math.max(left, waiting - rows.size());
    if (rows.isEmpty() && nowMs >= awakeUntilMs) {
      waiting = 0;
      isAsleep = true;
    }
    return rows;
  }

  private static long blockId(Key key) {
    return BlockKeys.blockIdIn(key);
  }
}
