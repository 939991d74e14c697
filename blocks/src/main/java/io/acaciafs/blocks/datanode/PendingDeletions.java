package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.Block;
import org.jspecify.annotations.Nullable;

/**
 * Walks the invalidation rows of one storage in turns, one a heartbeat, and remembers which were
 * sent lately, so that each is sent again only after a while. What was sent and not confirmed is
 * limited, and so is the memory. All else is in the rows.
 *
 * <p>A walk that finds no row is the last one until rows are expected, as a scan is not free even
 * where there are none. Safe for use by many threads; only walks of one storage wait for each
 * other.
 */
public final class PendingDeletions {
  /** So long after rows were expected no walk that finds nothing is believed. */
  private static final long AWAKE_MS = 60_000;

  /** How many heartbeats' worth may be sent and not confirmed. */
  private static final int WINDOW = 8;

  private final Map<Long, Long> sentAtMs = new ConcurrentHashMap<>();
  private volatile long awakeUntilMs = Long.MIN_VALUE;
  private volatile int unconfirmedElsewhere;
  private volatile boolean isAsleep;
  private @Nullable KeyRange rest;
  private boolean sawRows;

  /** A transaction that may still be under way writes rows for this storage. */
  public void expectRows(long nowMs) {
    awakeUntilMs = nowMs + AWAKE_MS;
    isAsleep = false;
  }

  /** There may be rows that nobody expected. */
  public void wake() {
    isAsleep = false;
  }

  /** Whether the next heartbeat will not look for rows. */
  public boolean isAsleep(long nowMs) {
    return isAsleep && nowMs >= awakeUntilMs;
  }

  /** The replica is gone, or nobody wants it deleted any more. */
  public void confirmed(long blockId) {
    sentAtMs.remove(blockId);
  }

  /** Whether rows have been expected since then. */
  boolean isAwakeSince(long ms) {
    return awakeUntilMs >= ms + AWAKE_MS;
  }

  /** What was sent and not confirmed, of what memory knows. */
  public int unconfirmed() {
    return Math.max(sentAtMs.size(), unconfirmedElsewhere);
  }

  /** Another NameNode sends them, and has so many not confirmed. */
  public void unconfirmedElsewhere(int count) {
    unconfirmedElsewhere = count;
    sentAtMs.clear();
  }

  /** Nothing that was sent will be confirmed: the DataNode started anew. */
  void forgetSent() {
    sentAtMs.clear();
  }

  /**
   * Adds what is to be sent now.
   *
   * @param limit how long {@code replicas} may become
   */
  public synchronized void next(
      Reader reader, int storageIndex, List<Block> replicas, int limit, long nowMs, long resendMs) {
    if (isAsleep(nowMs)) {
      return;
    }
    unconfirmedElsewhere = 0;
    sentAtMs.values().removeIf(sentMs -> nowMs - sentMs >= resendMs);
    if (rest == null) {
      rest = BlockKeys.invalidationsOf(storageIndex);
      sawRows = false;
    }
    int window = WINDOW * limit;
    int examined = 0;
    try (Scan scan = reader.scan(rest)) {
      while (replicas.size() < limit && sentAtMs.size() < window && examined < window) {
        if (!scan.hasNext()) {
          rest = null;
          break;
        }
        Row row = scan.next();
        examined++;
        sawRows = true;
        rest = rest.startingAfter(row.key().bytes());
        long blockId = BlockKeys.blockIdIn(row.key());
        if (sentAtMs.putIfAbsent(blockId, nowMs) == null) {
          replicas.add(new Block(blockId, 0, BlockRows.generationStampIn(row.value())));
        }
      }
    }
    isAsleep = rest == null && !sawRows && nowMs >= awakeUntilMs;
  }
}
