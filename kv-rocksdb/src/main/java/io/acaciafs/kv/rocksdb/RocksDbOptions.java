package io.acaciafs.kv.rocksdb;

/**
 * What the engine may use. Memory is about {@code blockCacheBytes + totalWriteBufferBytes}, and 8
 * MiB of version words.
 *
 * @param blockCacheBytes blocks, indexes and filters that were read
 * @param tableWriteBufferBytes how much of one table gathers in memory before it is written out
 * @param totalWriteBufferBytes the same for all tables together
 * @param maxWalBytes how long the write-ahead log may grow; it is read again at the next start, so
 *     it bounds the time of that
 * @param maxBackgroundJobs flushes and compactions at a time
 * @param maxOpenFiles table files kept open
 */
public record RocksDbOptions(
    long blockCacheBytes,
    long tableWriteBufferBytes,
    long totalWriteBufferBytes,
    long maxWalBytes,
    int maxBackgroundJobs,
    int maxOpenFiles) {
  private static final long MIB = 1 << 20;

  public RocksDbOptions {
    if (blockCacheBytes < MIB || tableWriteBufferBytes < MIB || maxWalBytes < MIB) {
      throw new IllegalArgumentException("The engine needs at least 1 MiB of each kind");
    }
    if (totalWriteBufferBytes < tableWriteBufferBytes) {
      throw new IllegalArgumentException(
          "One table may use more than all: " + tableWriteBufferBytes + " bytes");
    }
    if (maxBackgroundJobs < 1 || maxOpenFiles < 16) {
      throw new IllegalArgumentException("The engine needs a job and 16 files at least");
    }
  }

  /** For a NameNode of some million files; larger ones want a larger cache. */
  public static RocksDbOptions defaults() {
    return new RocksDbOptions(512 * MIB, 32 * MIB, 128 * MIB, 64 * MIB, 2, 512);
  }

  public RocksDbOptions withBlockCacheBytes(long bytes) {
    return new RocksDbOptions(
        bytes,
        tableWriteBufferBytes,
        totalWriteBufferBytes,
        maxWalBytes,
        maxBackgroundJobs,
        maxOpenFiles);
  }

  public RocksDbOptions withWriteBufferBytes(long tableBytes, long totalBytes) {
    return new RocksDbOptions(
        blockCacheBytes, tableBytes, totalBytes, maxWalBytes, maxBackgroundJobs, maxOpenFiles);
  }
}
