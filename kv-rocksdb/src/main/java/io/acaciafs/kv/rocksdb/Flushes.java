package io.acaciafs.kv.rocksdb;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears from RocksDB which rows it has written out of its memory into files. RocksDB's threads call
 * it; all else is safe for use by many threads.
 */
final class Flushes extends AbstractEventListener {
  private static final Logger LOG = LoggerFactory.getLogger(Flushes.class);

  /** The last row of each column family that is in a file, by its sequence number. */
  private final Map<Integer, Long> last = new ConcurrentHashMap<>();

  private volatile Runnable before = () -> {};

  Flushes() {
    super(EnabledEventCallback.ON_FLUSH_BEGIN, EnabledEventCallback.ON_FLUSH_COMPLETED);
  }

  /**
   * @param action what must have happened before a row is in a file
   */
  void before(Runnable action) {
    before = action;
  }

  /** Whether all these rows, or later ones in their column families, are in files. */
  boolean include(Map<Integer, Long> rows) {
    return rows.entrySet().stream()
        .allMatch(row -> last.getOrDefault(row.getKey(), 0L) >= row.getValue());
  }

  @Override
  public void onFlushBegin(RocksDB db, FlushJobInfo flush) {
    try {
      before.run();
    } catch (Throwable e) { // whoever syncs next finds out, and nothing is promised then
      LOG.error("The log cannot be synced, so nothing is written into files any more", e);
      db.cancelAllBackgroundWork(false);
    }
  }

  @Override
  public void onFlushCompleted(RocksDB db, FlushJobInfo flush) {
    last.merge((int) flush.getColumnFamilyId(), flush.getLargestSeqno(), Math::max);
  }
}
