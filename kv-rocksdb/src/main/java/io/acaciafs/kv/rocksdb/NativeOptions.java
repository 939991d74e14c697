package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.files.NativeObjects;
import io.acaciafs.kv.rocksdb.files.PassingFiles;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionOptionsFIFO;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.WALRecoveryMode;

/** How RocksDB is set up. Everything made here goes to {@link NativeObjects}, which closes it. */
final class NativeOptions {
  private static final int FORMAT_VERSION = 7;
  private static final int BLOCK_BYTES = 8 << 10;
  private static final int METADATA_BLOCK_BYTES = 4 << 10;
  private static final double FILTER_BITS_PER_KEY = 10;
  private static final double INDEX_SHARE_OF_CACHE = 0.5;

  /**
   * New files of a table are merged with what lies beneath them, many times as many rows, which are
   * all written again. The more files at a time, the rarer; but each is one more that a read asks.
   */
  private static final int FILES_TO_MERGE = 12;

  /** What is in one of RocksDB's own is on its way into a file. */
  private static final int WRITE_BUFFERS = 4;

  /** Where the log is full of one table, the files of others are small. */
  private static final int FILES_TO_SLOW_DOWN = 64;

  private static final int FILES_TO_STOP = 96;
  private static final long MAX_LOG_FILE_BYTES = 4 << 20;
  private static final int LOG_FILES = 4;
  private static final long BYTES_PER_SYNC = 1 << 20;

  /** A longer prefix is hardly shared, and would only make filters larger. */
  private static final int LONGEST_FILTERED_PREFIX = 64;

  private final RocksDbOptions options;
  private final NativeObjects natives;
  private final BlockBasedTableConfig blocks;

  NativeOptions(RocksDbOptions options, NativeObjects natives) {
    this.options = options;
    this.natives = natives;
    Cache cache =
        natives.add(new LRUCache(options.blockCacheBytes(), -1, false, INDEX_SHARE_OF_CACHE));
    // Indexes and filters in pieces, in the cache: their memory does not grow with the data.
    this.blocks =
        new BlockBasedTableConfig()
            .setFormatVersion(FORMAT_VERSION)
            .setBlockSize(BLOCK_BYTES)
            .setBlockCache(cache)
            .setIndexType(IndexType.kTwoLevelIndexSearch)
            .setPartitionFilters(true)
            .setMetadataBlockSize(METADATA_BLOCK_BYTES)
            .setCacheIndexAndFilterBlocks(true)
            .setCacheIndexAndFilterBlocksWithHighPriority(true)
            .setPinTopLevelIndexAndFilter(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            .setOptimizeFiltersForMemory(true)
            .setWholeKeyFiltering(true)
            .setFilterPolicy(natives.add(new BloomFilter(FILTER_BITS_PER_KEY)));
  }

  /** Whether scans of one partition ask a filter first. */
  static boolean filtersPartitions(Table table) {
    return table.partitionLength() <= LONGEST_FILTERED_PREFIX;
  }

  DBOptions ofDatabase() {
    return natives.add(
        new DBOptions()
            .setCreateIfMissing(true)
            .setCreateMissingColumnFamilies(true)
            .setMaxBackgroundJobs(options.maxBackgroundJobs())
            // So that it knows the age of all files without opening them for that.
            .setMaxOpenFiles(-1)
            // A walk over a tree reads one block after the other: the system may read ahead.
            .setAdviseRandomOnOpen(false)
            .setDbWriteBufferSize(options.totalWriteBufferBytes())
            // Its log has the number of the format, and in a folder of format 1 the last commits.
            .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
            // What is in memory is in our log.
            .setAvoidFlushDuringShutdown(true)
            // One thread writes at a time, in large batches.
            .setAllowConcurrentMemtableWrite(false)
            .setEnableWriteThreadAdaptiveYield(false)
            .setBytesPerSync(BYTES_PER_SYNC)
            .setStatsDumpPeriodSec(0)
            .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
            .setMaxLogFileSize(MAX_LOG_FILE_BYTES)
            .setKeepLogFileNum(LOG_FILES));
  }

  ColumnFamilyOptions ofTable(Table table) {
    ColumnFamilyOptions family = ofDefault();
    if (filtersPartitions(table)) {
      family.useFixedLengthPrefixExtractor(table.partitionLength());
    }
    if (table.isPassing()) { // files go as a whole when their last row has passed, and are not read
      family
          .setCompactionStyle(CompactionStyle.FIFO)
          .setCompactionOptionsFIFO(
              natives.add(new CompactionOptionsFIFO().setMaxTableFilesSize(Long.MAX_VALUE)))
          .setTtl(PassingFiles.FOREVER_S);
    }
    return family;
  }

  ColumnFamilyOptions ofDefault() {
    return natives.add(
        new ColumnFamilyOptions()
            .setTableFormatConfig(blocks)
            .setWriteBufferSize(options.tableWriteBufferBytes())
            .setMaxWriteBufferNumber(WRITE_BUFFERS)
            .setLevel0FileNumCompactionTrigger(FILES_TO_MERGE)
            .setLevel0SlowdownWritesTrigger(FILES_TO_SLOW_DOWN)
            .setLevel0StopWritesTrigger(FILES_TO_STOP)
            .setLevelCompactionDynamicLevelBytes(true)
            // What is rewritten soon is compressed little, what stays is compressed well.
            .setCompressionPerLevel(
                List.of(
                    CompressionType.NO_COMPRESSION,
                    CompressionType.LZ4_COMPRESSION,
                    CompressionType.LZ4_COMPRESSION,
                    CompressionType.LZ4_COMPRESSION,
                    CompressionType.LZ4_COMPRESSION,
                    CompressionType.LZ4_COMPRESSION,
                    CompressionType.LZ4_COMPRESSION))
            .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION));
  }
}
