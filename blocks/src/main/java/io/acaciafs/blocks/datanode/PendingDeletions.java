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
 * <p>Safe for use by many threads; only walks of one storage wait for each other.
 */
public final class PendingDeletions {
  /** How many heartbeats' worth may be sent and not confirmed. */
  private static final int WINDOW = 8;

  private final Map<Long, Long> sentAtMs = new ConcurrentHashMap<>();
  private final ExpectedRows rows = new ExpectedRows();
  private volatile int unconfirmedElsewhere;
  private @Nullable KeyRange rest;
  private boolean sawRows;

  /** Whether there is anything to walk over. */
  public ExpectedRows rows() {
    return rows;
  }

  /** The replica is gone, or nobody wants it deleted any more. */
  public void confirmed(long blockId) {
    sentAtMs.remove(blockId);
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
    if (rows.isAsleep(nowMs)) {
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
    rows.looked(rest == null && !sawRows, nowMs);
  }
}
