package io.acaciafs.kv.rocksdb.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acaciafs.kv.StoreException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long RocksDB keeps the files of tables whose rows expire. RocksDB counts by the wall clock,
 * which an administrator may set and which goes on while no process runs. So this class adds the
 * time that did not pass here to the time that RocksDB keeps the files, until all older files are
 * gone. Used by one thread at a time.
 */
public final class PassingFiles {
  private static final Logger LOG = LoggerFactory.getLogger(PassingFiles.class);
  private static final byte[] KEY = "passing".getBytes(UTF_8);

  /** What two clocks differ by anyhow. */
  private static final long SMALLEST_JUMP_MS = 1_000;

  /** Before it is known for how long files are to be kept. */
  public static final long FOREVER_S = TimeUnit.DAYS.toSeconds(36_500);

  private final RocksDB db;
  private final List<ColumnFamilyHandle> families;
  private final long keptMs;
  private final LongSupplier wallMs;
  private final LongSupplier nanoTime;
  private long lastWallMs;
  private long lastNs;

  /** What the wall clock has gone ahead of the time that passed here, since files were kept. */
  private long aheadMs;

  /** When that was last added to. */
  private long aheadSinceNs;

  private long toldMs = -1;

  /**
   * @param families of tables whose rows expire
   */
  public PassingFiles(
      RocksDB db,
      List<ColumnFamilyHandle> families,
      long keptMs,
      LongSupplier wallMs,
      LongSupplier nanoTime)
      throws RocksDBException {
    this.db = db;
    this.families = families;
    this.keptMs = keptMs;
    this.wallMs = wallMs;
    this.nanoTime = nanoTime;
    this.lastNs = nanoTime.getAsLong();
    this.aheadSinceNs = lastNs;
    this.lastWallMs = wallMs.getAsLong();
    byte[] row = db.get(KEY);
    if (row != null) {
      ByteBuffer before = ByteBuffer.wrap(row);
      long endedMs = before.getLong();
      aheadMs = before.getLong() + Math.max(0, lastWallMs - endedMs);
    }
    tell();
  }

  /** To be called before files are made, as RocksDB looks for old ones then. */
  public void update() {
    try {
      note();
      tell();
      write();
    } catch (RocksDBException e) {
      throw new StoreException("Cannot say how long rows are kept", e);
    }
  }

  private void note() {
    long nowNs = nanoTime.getAsLong();
    long nowMs = wallMs.getAsLong();
    long jumpMs = nowMs - lastWallMs - TimeUnit.NANOSECONDS.toMillis(nowNs - lastNs);
    if (jumpMs > SMALLEST_JUMP_MS) {
      LOG.warn("The clock was set forward ms={}", jumpMs);
      aheadMs += jumpMs;
      aheadSinceNs = nowNs;
    }
    lastNs = nowNs;
    lastWallMs = nowMs;
    if (nowNs - aheadSinceNs > TimeUnit.MILLISECONDS.toNanos(keptMs)) {
      aheadMs = 0; // what was made before has passed
    }
  }

  private void tell() throws RocksDBException {
    long untilMs = keptMs + aheadMs;
    if (untilMs != toldMs) {
      toldMs = untilMs;
      for (ColumnFamilyHandle family : families) {
        db.setOptions(
            family, MutableColumnFamilyOptions.builder().setTtl(untilMs / 1000 + 1).build());
      }
    }
  }

  private void write() throws RocksDBException {
    try (WriteOptions unlogged = new WriteOptions().setDisableWAL(true)) {
      db.put(
          unlogged,
          KEY,
          ByteBuffer.allocate(2 * Long.BYTES).putLong(lastWallMs).putLong(aheadMs).array());
    }
  }

  /** Leaves for the next start what it has to know. */
  public void end() {
    try (FlushOptions awaited = new FlushOptions()) {
      note();
      write();
      db.flush(awaited);
    } catch (RocksDBException e) {
      LOG.warn("Rows that pass will be kept for longer than need be", e);
    }
  }
}
