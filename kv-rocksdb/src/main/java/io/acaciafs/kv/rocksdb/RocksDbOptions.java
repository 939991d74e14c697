package io.acaciafs.kv.rocksdb;

/**
 * What the engine may use. Native memory is about {@code blockCacheBytes + totalWriteBufferBytes},
 * and the heap holds the log's rows: about {@code maxWalBytes}, up to three times as much while
 * RocksDB is slow; as much again of what has left the log; and 16 MiB of words to find them by.
 *
 * @param blockCacheBytes blocks, indexes and filters that were read
 * @param tableWriteBufferBytes how much of one table RocksDB makes one file of, on its way out of
 *     the memtable
 * @param totalWriteBufferBytes the same for all tables together
 * @param maxWalBytes how long the log grows before the memtable's rows are written out; it may
 *     become three times as long while that is done. It is read again at the start after a crash,
 *     so it bounds the time of that
 * @param maxBackgroundJobs flushes and compactions at a time
 * @param passingRowsKeptMs how long a row of a passing table is kept at least
 */
public record RocksDbOptions(
    long blockCacheBytes,
    long tableWriteBufferBytes,
    long totalWriteBufferBytes,
    long maxWalBytes,
    int maxBackgroundJobs,
    long passingRowsKeptMs) {
  private static final long MIB = 1 << 20;
  private static final long PASSING_ROWS_KEPT_MS = 600_000;

  public RocksDbOptions {
    if (blockCacheBytes < MIB || tableWriteBufferBytes < MIB || maxWalBytes < MIB) {
      throw new IllegalArgumentException("The engine needs at least 1 MiB of each kind");
    }
    if (totalWriteBufferBytes < tableWriteBufferBytes) {
      throw new IllegalArgumentException(
          "One table may use more than all: " + tableWriteBufferBytes + " bytes");
    }
    if (maxBackgroundJobs < 1) {
      throw new IllegalArgumentException("The engine needs a job at least");
    }
    if (passingRowsKeptMs < 1000) {
      throw new IllegalArgumentException("Rows pass within a second: " + passingRowsKeptMs);
    }
  }

  /** For a NameNode of some million files; larger ones want a larger cache. */
  public static RocksDbOptions defaults() {
    return new RocksDbOptions(512 * MIB, 32 * MIB, 128 * MIB, 64 * MIB, 2, PASSING_ROWS_KEPT_MS);
  }

  public RocksDbOptions withBlockCacheBytes(long bytes) {
    return new RocksDbOptions(
        bytes,
        tableWriteBufferBytes,
        totalWriteBufferBytes,
        maxWalBytes,
        maxBackgroundJobs,
        passingRowsKeptMs);
  }

  public RocksDbOptions withWriteBufferBytes(long tableBytes, long totalBytes) {
    return new RocksDbOptions(
        blockCacheBytes, tableBytes, totalBytes, maxWalBytes, maxBackgroundJobs, passingRowsKeptMs);
  }

  public RocksDbOptions withMaxWalBytes(long bytes) {
    return new RocksDbOptions(
        blockCacheBytes,
        tableWriteBufferBytes,
        totalWriteBufferBytes,
        bytes,
        maxBackgroundJobs,
        passingRowsKeptMs);
  }

  public RocksDbOptions withPassingRowsKeptMs(long keptMs) {
    return new RocksDbOptions(
        blockCacheBytes,
        tableWriteBufferBytes,
        totalWriteBufferBytes,
        maxWalBytes,
        maxBackgroundJobs,
        keptMs);
  }
}
